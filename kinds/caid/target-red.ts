import type { TicketOutcome } from '../../plan/queue/ticket';
import { ThermidorFailure } from '../../plan/run/failure';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import { describeTargetRed } from '../../workflows/interpreter/merging/outcomes';
import { note, partOf, stateOf, stored, type Team, tell } from './team';

type Red = Extract<TicketOutcome, { kind: 'red' }>;

/** The wake key of a task that waits for others to land: for its turn, or until the target is green again. */
export function landingSleeper({ place }: Pick<Team, 'place'>): string {
  return `caid:${place.path}:landing`;
}

/**
 * The target is red without the candidate: no author is asked to fix it. One person is asked for the whole team, whichever candidate finds
 * it first; the others wait for the answer. Fails with `merge.target-red` if the person gives up.
 */
export async function mendedTarget(team: Team, ctx: StepContext, id: string, red: Red): Promise<void> {
  const asked = ctx.once('target', () => begunAsking(team, id, red));
  if (asked > 0) await askPerson(team, ctx, asked, red);
  else await ctx.awaited('mended', { sleeper: landingSleeper(team) }, () => (stateOf(team).isTargetRed ? undefined : true));
  if (ctx.once('broken', () => stateOf(team).isBroken === true)) throw new ThermidorFailure('merge.target-red', describeTargetRed(red));
}

/**
 * An engineer was believed, and the target is red by the test of the whole: the team itself has to fix that, once everything is merged, and
 * from now on nobody is believed. A candidate that was offered since then finds somebody else's fault.
 */
export function isContradicted(team: Team, id: string): boolean {
  const { tasks, wasRed } = stateOf(team);
  const believed = tasks.filter(({ stage, isBelieved }) => stage === 'merged' && isBelieved).map((task) => task.id);
  const { testEach, testEnd } = team.place.step;
  // By another test the whole may be green, and nobody would fix it.
  if (testEach === undefined || testEach !== testEnd) return false;
  if (wasRed) return true;
  if (believed.length === 0) return false;
  const reason = `the branch is red without it, and ${believed.join(', ')} landed on their engineers’ word that the tests are green: from now on every candidate is tested`;
  note(team, 'warned', { task: id, reason });
  tell(team, { kind: 'contradicted' });
  return true;
}

/** The number of the question; 0 if somebody is asked already, or the team ends. */
function begunAsking(team: Team, id: string, red: Red): number {
  const state = stateOf(team);
  if (state.landing === id) delete state.landing;
  if (state.isTargetRed || state.isBroken) return 0;
  state.isTargetRed = true;
  state.targetAsks = (state.targetAsks ?? 0) + 1;
  note(team, 'asked', { task: id, reason: describeTargetRed(red) });
  return state.targetAsks;
}

async function askPerson(team: Team, ctx: StepContext, turn: number, red: Red): Promise<void> {
  const question = await stored(team, ctx, `target-${turn}`, () => ({ problem: describeTargetRed(red), end_of_the_output: red.tail }));
  const { values } = await ctx.step(partOf(team, 'target'), { turn, given: { question } });
  ctx.once('answered', () => {
    const state = stateOf(team);
    delete state.isTargetRed;
    if (values?.['approved'] !== true) state.isBroken = true;
    team.it.run.wake(landingSleeper(team));
  });
}
