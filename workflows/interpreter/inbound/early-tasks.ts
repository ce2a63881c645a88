import { jsonText, parseJson } from '../../../plan/text/json-text';
import type { Interpreter } from '../interpreter';
import type { NotApplied, PlannedCommand } from './planned-command';

/**
 * Tasks that are sent before the board that they are for is open. They are in state until it opens, or until the run ends without it: they
 * are not lost, and what the board refuses then is in the journal.
 */

const MOST_KEPT = 1000;
/** Half of what may be checked at once (`pending-signals.ts`): all of them are taken up together. */
const MOST_CHARACTERS = 500_000;

/** The plan for a task that came early: it is kept. */
export function keepEarly({ run }: Interpreter, payload: unknown, { reason }: NotApplied): PlannedCommand {
  return {
    apply: () => undefined,
    decide() {
      const kept = run.state.earlyTasks ?? [];
      const text = jsonText(payload ?? null);
      const characters = kept.reduce((sum, one) => sum + one.characters, text.length);
      if (kept.length >= MOST_KEPT || characters > MOST_CHARACTERS)
        return { outcome: 'early', reason: `${reason}, and ${kept.length} tasks wait for it already: send it again later` };
      run.state.earlyTasks = [...kept, { payload: parseJson(text), characters: text.length }];
      return { outcome: 'early', about: `${reason}: it is kept until then` };
    },
  };
}

/** Takes those that are not early any more out of the state, in their order. */
export function takeEarly({ run }: Interpreter, isEarly: (payload: unknown) => boolean): unknown[] {
  const { earlyTasks: kept = [] } = run.state;
  const still = kept.filter(({ payload }) => isEarly(payload));
  if (still.length > 0) run.state.earlyTasks = still;
  else delete run.state.earlyTasks;
  return kept.flatMap((one) => (still.includes(one) ? [] : [one.payload]));
}
