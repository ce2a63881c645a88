import { defined } from '../../plan/defined';
import type { OfferedCommit } from '../../plan/queue/landing';
import { ThermidorFailure } from '../../plan/run/failure';
import type { PartCall, PartEnd, StepContext } from '../../workflows/interpreter/context/step-context';
import { landCandidate } from '../../workflows/interpreter/merging/land-candidate';
import { offeredBy } from '../../workflows/interpreter/merging/offered-commits';
import { describeTargetRed } from '../../workflows/interpreter/merging/outcomes';
import { closeWorktreesOf } from '../../workflows/interpreter/worktrees/close-worktrees';
import { carryWork } from './carry';
import { tooFewRounds } from './limits';
import { returnedBy, wordsOfOutcome } from './returned';
import type { Returned } from './rules/assignment';
import { checkGraph, type GraphProblem, graphWarnings } from './rules/check-graph';
import { mendGraph } from './rules/mend-graph';
import { MOST_GRAPH_KIB, readTaskGraph, type TaskGraph } from './rules/task-graph';
import { isShared, note, partOf, partPath, stored, type TeamStep } from './team';
import { keptGreen } from './tests-of-merge';

export interface DividedWork extends TaskGraph {
  /** The commit from which the manager began. */
  base: string;
  /** The target's commit, including the manager's preparation. */
  head: string;
}

/**
 * The manager prepares the repository and divides the work. A graph with mistakes goes back to it once, with all of them; mistakes of the
 * second are fixed by rule, if there is one. Its preparation is tested like any candidate and lands before any branch is cut; a returned
 * one goes to it again, and its graph stays.
 */
export async function divideWork(team: TeamStep, ctx: StepContext): Promise<DividedWork> {
  const first = await graphOf(team, ctx, { turn: 1 });
  const wrong = first ? checkGraph(first) : [TOO_LARGE];
  const graph = first && wrong.length === 0 ? first : mended(team, ctx, await asked(team, ctx, first, wrong));
  ctx.once('divided', () => {
    note(team, 'divided', { reason: `${graph.units.length} ${graph.units.length === 1 ? 'task' : 'tasks'}` });
    for (const reason of [...graphWarnings(graph), ...tooFewRounds(team, graph)]) note(team, 'warned', { reason });
  });
  return { ...graph, ...(await landPreparation(team, ctx, wrong.length === 0 ? 1 : 2)) };
}

/** The manager's answer in a turn; undefined if it is too large to be read. */
async function graphOf(team: TeamStep, ctx: StepContext, call: PartCall): Promise<TaskGraph | undefined> {
  const answer = await ctx.attempt(() => ctx.step(partOf(team, 'manager'), call));
  if ('value' in answer) return asGraph(team, answer.value);
  if (answer.failure.code === 'values.too-large') return undefined;
  throw answer.failure;
}

const TOO_LARGE: GraphProblem = {
  ...{ kind: 'large', units: [], isMended: false },
  message: `the graph is larger than ${MOST_GRAPH_KIB} KiB: put what belongs together into one unit, and write shorter descriptions`,
};

function asGraph({ it, place }: TeamStep, { values }: PartEnd): TaskGraph {
  const graph = readTaskGraph(values?.['$'] ?? null);
  if (graph) return graph;
  throw new ThermidorFailure('caid.graph', `the manager of ${it.run.name(place.path)} has given no graph of tasks`);
}

/** The second time it continues in its first preparation. */
async function asked(
  team: TeamStep,
  ctx: StepContext,
  first: TaskGraph | undefined,
  wrong: readonly GraphProblem[],
): Promise<TaskGraph | undefined> {
  const messages = wrong.map(({ message }) => message);
  const problems = await stored(team, ctx, 'problems', () => ({
    your_graph_is_refused_because: messages,
    ...defined({ your_graph: first && { units: first.units.map(({ id, files, depends_on }) => ({ id, files, depends_on })) } }),
  }));
  ctx.once('carried', () => {
    note(team, 'returned', { reason: `the graph goes back to the manager: ${messages.join('; ')}` });
    // The work is saved even if the answer could not be read.
    const left = team.it.run.state.records[partPath(team, 'manager', 1)]?.output?.worktree;
    if (left) carryWork(team, left, partPath(team, 'manager', 2));
  });
  return graphOf(team, ctx, { turn: 2, given: { problems } });
}

function mended(team: TeamStep, ctx: StepContext, graph: TaskGraph | undefined): TaskGraph {
  const { it, place } = team;
  const wrong = graph ? checkGraph(graph) : [TOO_LARGE];
  const hopeless = wrong.filter(({ isMended }) => !isMended);
  if (!graph || hopeless.length > 0) {
    const messages = hopeless.map(({ message }) => message);
    const message = `the manager of ${it.run.name(place.path)} has twice given a graph that cannot be used: ${messages.join('; ')}`;
    throw new ThermidorFailure('caid.graph', message, { problems: messages });
  }
  const { graph: right, changes } = mendGraph(graph, wrong);
  ctx.once('mended', () => {
    for (const reason of changes) note(team, 'mended', { reason });
  });
  return { ...right, warnings: [...(right.warnings ?? []), ...changes] };
}

type Prepared = Pick<DividedWork, 'base' | 'head'>;
type Refused = Pick<Returned, 'message' | 'tail'>;

/** Lands what the manager has prepared. It comes back to the manager as often as a candidate does to its author. */
async function landPreparation(team: TeamStep, ctx: StepContext, turn: number): Promise<Prepared> {
  const { returns } = team.place.step.limits;
  const first = await offerPreparation(team, ctx, turn, 'prepare');
  if ('head' in first) return first;
  return await ctx.loop<Refused, Prepared>('prepared-again', first, async (own, refused, time) => {
    if (time > returns) throw notPrepared(team, refused);
    await askToMend(team, own, turn + time, refused);
    const next = await offerPreparation(team, own, turn + time, `prepare-${time + 1}`);
    return 'head' in next ? { done: next } : { next };
  });
}

async function askToMend(team: TeamStep, ctx: StepContext, turn: number, { message, tail }: Refused): Promise<void> {
  const problems = await stored(team, ctx, `refused-${turn}`, () => ({
    what_you_have_prepared_does_not_land: message,
    ...defined({ end_of_the_output: tail }),
    what_to_do: 'Fix what you have prepared; it is in your files. Your graph stays as it is: answer with it again.',
  }));
  ctx.once('carried', () => {
    note(team, 'returned', { reason: `what the manager has prepared comes back: ${message}` });
    const left = team.it.run.state.records[partPath(team, 'manager', turn - 1)]?.output?.worktree;
    if (left) carryWork(team, left, partPath(team, 'manager', turn));
  });
  await ctx.step(partOf(team, 'manager'), { turn, given: { problems } });
}

/** Goes through the queue even if there is nothing: the answer has the target's commit. */
async function offerPreparation(team: TeamStep, ctx: StepContext, turn: number, key: string): Promise<Prepared | Refused> {
  const { it, place } = team;
  const { step } = place;
  const path = partPath(team, 'manager', turn);
  const from = ctx.once('prepared', (): OfferedCommit | null => offeredBy(it.run, path) ?? null);
  if (!from) throw new ThermidorFailure('caid.setup', `the manager of ${it.run.name(place.path)} has left no commit`);
  const base = ctx.once('base', () => it.run.state.worktrees?.[from.slot]?.lease?.base ?? from.commit);
  const title = `prepare ${step.id}`;
  // Needs of its engineers are checked before there are any.
  const strategy = isShared(team) ? ({ strategy: 'merge' } as const) : {};
  // It makes an empty repository testable, so the target need not be green by it before.
  const outcome = await landCandidate(it, place, ctx, key, {
    ...{ from, into: step.into, title, author: 'manager' },
    ...defined({ test: step.testEach }),
    ...keptGreen(team),
    ...strategy,
  });
  if (outcome.kind === 'red' && outcome.isTargets)
    throw new ThermidorFailure('merge.target-red', `${describeTargetRed(outcome)}; mend it before a team begins`);
  if (outcome.kind !== 'merged') {
    const back = returnedBy(outcome, () => undefined);
    if (!back || back.reason === 'review') throw notPrepared(team, { message: wordsOfOutcome(outcome) });
    await ctx.through('closed', () => closeWorktreesOf(it, [from.slot]));
    return { message: back.message, ...defined({ tail: back.tail }) };
  }
  const { result } = outcome;
  ctx.once('landed', () => note(team, 'prepared', { commit: result }));
  await ctx.through('closed', () => closeWorktreesOf(it, [from.slot]));
  return { base, head: result };
}

function notPrepared({ it, place }: TeamStep, { message }: Refused): ThermidorFailure {
  return new ThermidorFailure(
    'caid.setup',
    `what the manager of ${it.run.name(place.path)} has prepared does not land in ${place.step.into}: ${message}`,
  );
}
