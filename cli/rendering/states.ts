import type { RunState } from '../../plan/run/status';
import type { StepState } from '../../plan/run/step-state';
import type { Verdict } from '../../plan/steps/verdict';
import type { Colors } from '../terminal';

type Color = 'green' | 'red' | 'yellow' | 'cyan' | 'magenta' | 'gray';

/** How each state looks: never by colour alone. */
const STEP_LOOKS: Readonly<Record<StepState, readonly [string, Color]>> = {
  pending: ['·', 'gray'],
  running: ['▸', 'cyan'],
  waiting: ['?', 'yellow'],
  held: ['!', 'magenta'],
  done: ['✓', 'green'],
  skipped: ['–', 'gray'],
  failed: ['✗', 'red'],
  superseded: ['↺', 'gray'],
};

const RUN_COLORS: Readonly<Record<RunState, Color>> = {
  running: 'cyan',
  waiting: 'yellow',
  held: 'magenta',
  paused: 'magenta',
  completed: 'green',
  rejected: 'red',
  failed: 'red',
  cancelled: 'gray',
};

const VERDICT_COLORS: Readonly<Record<Verdict, Color>> = { pass: 'green', revise: 'yellow', block: 'red' };

export function stepSymbol(state: StepState, colors: Colors): string {
  const [symbol, color] = STEP_LOOKS[state];
  return colors[color](symbol);
}

export function stepStateText(state: StepState, colors: Colors): string {
  return colors[STEP_LOOKS[state][1]](state);
}

export function runStateText(state: RunState, colors: Colors): string {
  return colors[RUN_COLORS[state]](state);
}

export function verdictWord(verdict: Verdict, colors: Colors): string {
  return colors[VERDICT_COLORS[verdict]](verdict);
}
