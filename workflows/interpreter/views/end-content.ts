import { defined } from '../../../plan/defined';
import type { EndContent } from '../../../plan/run/end-content';
import type { RunResult } from '../../../plan/run/run-result';
import type { Run } from '../run';
import type { RunEnding } from '../run-ending';
import type { InterpreterState } from '../state/state';
import { runView, stepViews } from './views';

/** What a rerun of a run that has ended begins from, without the server. */
export interface EndState {
  opened: Run['opened'];
  state: InterpreterState;
  /** Absent: the run does not know that it has ended. */
  ending?: RunEnding;
}

/** What the record of an ended run is made of. A run that the server has closed is asked for it as it was then. */
export function endContent(run: Run, result?: RunResult): EndContent {
  const { opened, state, ending } = run;
  const { pages, tail } = state.journal;
  const steps = stepViews(run);
  const end: EndState = { opened, state, ...defined({ ending: ending?.kind === 'continue' ? undefined : ending }) };
  return {
    view: { ...runView(run, { limit: 0 }), steps, totalSteps: steps.length },
    ...defined({ result }),
    journal: { pages, entries: tail },
    state: end,
  };
}
