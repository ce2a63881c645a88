import type { ArtifactRef } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import { field, type Json } from '../../plan/text/json';
import { composeOutput } from '../../workflows/interpreter/containers/compose';
import { failureOfEntry } from '../../workflows/interpreter/context/scope-log';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import { withinTime } from '../../workflows/interpreter/patterns/within-time';
import type { PlaceOf } from '../../workflows/interpreter/scheduling/place';
import { openKindState } from '../../workflows/interpreter/state/kind-state';
import type { StepRecord } from '../../workflows/interpreter/state/step-record';
import { closeWorktreesOf } from '../../workflows/interpreter/worktrees/close-worktrees';
import { sharedSlot } from '../../workflows/interpreter/worktrees/slot-of';
import { limitsOf, usedUpLimit } from './limits';
import { newTeam } from './machine/machine';
import { type Red, whoIsToBlame } from './red-whole';
import { recordOf, resultOf } from './result';
import { divideWork } from './run-manager';
import { doTask } from './run-task';
import { isShared, noteReturned, partOf, partPath, stateOf, stored, type Team, type TeamStep, tell } from './team';

/**
 * A team: the manager prepares and divides, engineers do what is ready, and their work lands by tested merges (docs/caid.md).
 *
 * Invariants: 1. the machine alone decides the next assignment (`kinds/caid/machine/machine.ts`), no agent is asked; 2. every task has a
 * coroutine, every attempt a turn and, unless they share one, a worktree of its own; 3. only the merge queue moves the target.
 */
export async function performCaid(it: Interpreter, place: PlaceOf<'caid'>, _record: StepRecord, ctx: StepContext): Promise<undefined> {
  return await withinTime(it, place, ctx, place.step.timeoutMs, (inTime) => work({ it, place }, inTime));
}

async function work({ it, place }: TeamStep, ctx: StepContext): Promise<undefined> {
  const { step, path } = place;
  const { base, head, ...graph } = await divideWork({ it, place }, ctx);
  const team: Team = { it, place, graph, base };
  ctx.once('team', () => {
    const kept = openKindState(it.run.record(path), 'caid');
    const isBegun = kept.team !== undefined;
    const limits = limitsOf({ it, place });
    kept.team ??= newTeam(graph.units, step.engineers, limits, head);
    // A rerun may have others than the run that began.
    kept.team.limits = limits;
    tell(team, { kind: isBegun ? 'again' : 'started' });
  });
  const { end, whole } = await workedThrough(team, ctx);
  await finalReview(team, ctx, end, whole);
  await composeOutput(it, place, { kind: 'value', value: end });
  return undefined;
}

interface Whole {
  end: ReturnType<typeof resultOf>;
  whole: WholeCall;
}

/** The inputs of the tests of the whole and the manager's review. */
interface WholeCall {
  turn: number;
  given: { team: ArtifactRef };
}

/** Repeats until the tests of the whole are green: red ones send back the tasks to blame. Every assignment counts a round, so it ends. */
async function workedThrough(team: Team, ctx: StepContext): Promise<Whole> {
  const first = await workedOnce(team, ctx, 'team');
  if ('whole' in first) return first;
  return await ctx.loop<Red, Whole>('red', first, async (turn, red, time) => {
    turn.once('returned', () => {
      for (const id of red.tasks) noteReturned(team, id, red.returned);
      tell(team, { kind: 'red', ...red });
    });
    const next = await workedOnce(team, turn, `team-${time + 1}`);
    return 'whole' in next ? { done: next } : { next };
  });
}

/** All tasks to their end, then the tests of the whole. */
async function workedOnce(team: Team, ctx: StepContext, as: string): Promise<Whole | Red> {
  const { it, graph } = team;
  const work = graph.units.map(({ id }) => [`task-${id}`, (own: StepContext) => doTask(team, own, id)] as const);
  const { failed } = await ctx.all('tasks', Object.fromEntries(work));
  const [failure] = Object.values(failed);
  if (failure) throw failureOfEntry(failure);
  if (isShared(team)) await ctx.through('checkout-closed', () => closeWorktreesOf(it, [sharedSlot(it.run, partPath(team, 'engineer', 1))]));
  const end = ctx.once('end', () => resultOf(team));
  const whole = await wholeOf(team, ctx, as, end);
  if (end.status !== 'success') {
    // Teams are compared by their number of passing tests, and those of an unfinished one may fail.
    await ctx.attempt(() => testWhole(team, ctx, whole));
    throw unfinished(team, end);
  }
  const tested = await ctx.attempt(() => testWhole(team, ctx, whole));
  if ('failure' in tested) return whoIsToBlame(team, ctx, tested.failure);
  return { end, whole };
}

async function wholeOf(team: Team, ctx: StepContext, as: string, { status }: Record<string, Json>): Promise<WholeCall> {
  const { assignments, beginnings } = ctx.once('turn', () => {
    const state = stateOf(team);
    return { assignments: state.assignments, beginnings: state.beginnings ?? 0 };
  });
  const record = await stored(team, ctx, as, () => ({ ...recordOf(team), status: status ?? '' }));
  // A report of an earlier try stays unchanged, whatever it says.
  return { turn: assignments + beginnings + 1, given: { team: record } };
}

async function testWhole(team: Team, ctx: StepContext, whole: WholeCall): Promise<void> {
  if (team.place.step.testEnd !== undefined) await ctx.step(partOf(team, 'tests'), whole);
}

/** Every task is merged and the whole is tested: its manager has the last word. */
async function finalReview(team: Team, ctx: StepContext, end: Record<string, Json>, whole: WholeCall): Promise<void> {
  const { it, place } = team;
  const { values } = await ctx.step(partOf(team, 'review'), whole);
  if (values?.['accepted'] === true) return;
  const summary = field(values, 'summary');
  const said = typeof summary === 'string' ? `: ${summary}` : '';
  throw new ThermidorFailure('caid.not-accepted', `the manager of ${it.run.name(place.path)} does not accept the result${said}`, end);
}

function unfinished(team: Team, end: Record<string, Json>): ThermidorFailure {
  const { it, place } = team;
  const { status, tasks } = end;
  const open = Array.isArray(tasks) ? tasks.filter((task) => field(task, 'stage') !== 'merged') : [];
  const names = open.slice(0, 10).map((task) => `${String(field(task, 'id'))} (${String(field(task, 'stage'))})`);
  const more = open.length > names.length ? ` and ${open.length - names.length} more` : '';
  const limit = status === 'failure' ? usedUpLimit(team, stateOf(team).slots) : undefined;
  const why = limit ?? 'some of it is given up';
  const hint = limit === undefined ? '' : '; raise the limit and run it again from this step';
  const message = `${it.run.name(place.path)} has ended with work that is not merged, because ${why}: ${names.join(', ')}${more}${hint}`;
  return new ThermidorFailure('caid.unfinished', message, end);
}
