import type { FailureCode, ThermidorFailure } from '../../plan/run/failure';
import { field } from '../../plan/text/json';
import { ending } from '../../plan/text/shortened';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import { MOST_TAIL } from './returned';
import type { Returned } from './rules/assignment';
import { unitsNamed } from './rules/blame';
import { type TeamState, taskWith } from './state';
import { note, stateOf, type Team } from './team';

/** Everything is merged, and the tests of the whole are red: these tasks go back, with the tests' output. */
export interface Red {
  tasks: string[];
  returned: Returned;
  /** The output names nobody. */
  isGuess: boolean;
}

/**
 * Blames first those whose files the output names. If it names nobody, everything that has landed since the branch was green by these
 * tests, as far as the merge queue knows; a guess is made as often as a candidate comes back, and not again if nobody has changed anything.
 * Then it fails with the tests' failure.
 */
export function whoIsToBlame(team: Team, ctx: StepContext, failure: ThermidorFailure): Red {
  // Decided once: the team's state has changed when this runs again.
  const red = ctx.once('blamed', () => redOf(team, failure));
  if (!red) throw failure;
  return red;
}

function redOf(team: Team, failure: ThermidorFailure): Red | null {
  if (!OF_TESTS.includes(failure.code)) return null;
  const state = stateOf(team);
  const printed = ['stdout', 'stderr'].flatMap((key) => field(failure.details, key) ?? []).filter((text) => typeof text === 'string');
  const output = printed.join('\n');
  const tail = ending(output, MOST_TAIL);
  const named = unitsNamed(team.graph.units, output).map((unit) => taskWith(state, unit).id);
  if (named.length > 0) {
    const message = `everything is merged, but the tests of the whole are red, and they name your files: ${failure.message}`;
    return { tasks: [...new Set(named)], returned: { reason: 'red', message, tail }, isGuess: false };
  }
  const tasks = state.tasks.filter(({ stage, order }) => stage === 'merged' && !isGreen(state, order)).map(({ id }) => id);
  const why = whyNotGuess(team, state, tasks);
  if (why !== undefined) {
    note(team, 'warned', { reason: `the tests of the whole are red, and their output names nobody's files: ${why}` });
    return null;
  }
  const message = `everything is merged, but the tests of the whole are red: ${failure.message}. They name nobody's files, and your work is among what has landed since they were green. If your work is the cause, fix it; if not, change nothing and answer with status "done"`;
  return { tasks, returned: { reason: 'red', message, tail }, isGuess: true };
}

const OF_TESTS: readonly FailureCode[] = ['command.failed', 'command.timeout'];

function isGreen({ greenOrder = 0 }: TeamState, order: number | undefined): boolean {
  return order !== undefined && order <= greenOrder;
}

function whyNotGuess({ place }: Team, { unnamed = 0, isChanged }: TeamState, tasks: readonly string[]): string | undefined {
  const { returns } = place.step.limits;
  if (tasks.length === 0) return 'the merge queue found the tests green with the last task that landed';
  if (unnamed > 0 && !isChanged) return 'the work went back, and nobody has changed anything';
  if (unnamed >= returns) return `the work went back ${unnamed === 1 ? 'once' : `${unnamed} times`} (limits.returns: ${returns})`;
  return undefined;
}
