import { checkGraph, type GraphProblem, graphWarnings } from '../../plan/caid/check-graph';
import { mendGraph } from '../../plan/caid/mend-graph';
import { MOST_GRAPH_KIB, readTaskGraph, type TaskGraph } from '../../plan/caid/task-graph';
import type { OfferedCommit } from '../../plan/queue/landing';
import { ThermidorFailure } from '../../plan/run/failure';
import { failureOfEntry } from '../../workflows/interpreter/context/scope-log';
import type { PartCall, PartEnd, StepContext } from '../../workflows/interpreter/context/step-context';
import { offeredBy } from '../../workflows/interpreter/merging/candidates';
import { landCandidate } from '../../workflows/interpreter/merging/land-candidate';
import { describeTargetRed } from '../../workflows/interpreter/merging/outcomes';
import { closeWorktreesOf } from '../../workflows/interpreter/worktrees/close-worktrees';
import { carryWork } from './carry';
import { tooFewRounds } from './limits';
import { wordsOfOutcome } from './returned';
import { isShared, note, partOf, partPath, stored, type TeamStep } from './team';

export interface DividedWork extends TaskGraph {
  /** What the manager began from. */
  base: string;
  /** What the target is at, with what the manager has prepared. */
  head: string;
}

/**
 * The manager prepares the repository and divides the work. A graph with mistakes goes back to it once, with all of them; what is wrong with the
 * second is put right by rule, where there is one. What it has prepared lands before any branch is cut.
 */
export async function divideWork(team: TeamStep, ctx: StepContext): Promise<DividedWork> {
  const first = await graphOf(team, ctx, { turn: 1 });
  const wrong = first ? checkGraph(first) : [TOO_LARGE];
  const graph = first && wrong.length === 0 ? first : mended(team, ctx, await asked(team, ctx, first, wrong));
  ctx.once('divided', () => {
    note(team, 'divided', { reason: `${graph.units.length} ${graph.units.length === 1 ? 'task' : 'tasks'}` });
    for (const reason of [...graphWarnings(graph), ...tooFewRounds(team, graph)]) note(team, 'warned', { reason });
  });
  return { ...graph, ...(await prepared(team, ctx, wrong.length === 0 ? 1 : 2)) };
}

/** What the manager answers in a turn; undefined where that is too large to be read. */
async function graphOf(team: TeamStep, ctx: StepContext, call: PartCall): Promise<TaskGraph | undefined> {
  const answer = await ctx.attempt(() => ctx.step(partOf(team, 'manager'), call));
  if ('value' in answer) return asGraph(team, answer.value);
  if (answer.failure.code === 'values.too-large') return undefined;
  throw failureOfEntry(answer.failure);
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

/** The second time it goes on in what it had prepared the first time. */
async function asked(
  team: TeamStep,
  ctx: StepContext,
  first: TaskGraph | undefined,
  wrong: readonly GraphProblem[],
): Promise<TaskGraph | undefined> {
  const messages = wrong.map(({ message }) => message);
  const problems = await stored(team, ctx, 'problems', () => ({
    your_graph_is_refused_because: messages,
    ...(first ? { your_graph: { units: first.units.map(({ id, files, depends_on }) => ({ id, files, depends_on })) } } : {}),
  }));
  ctx.once('carried', () => {
    note(team, 'returned', { reason: `the graph goes back to the manager: ${messages.join('; ')}` });
    // Also of one whose answer could not be read: its work is saved.
    const left = team.it.run.state.records[partPath(team, 'manager', 1)]?.worktree;
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

/** Goes through the queue also where there is nothing: the answer says what the target is at. */
async function prepared(team: TeamStep, ctx: StepContext, turn: number): Promise<Pick<DividedWork, 'base' | 'head'>> {
  const { it, place } = team;
  const { step } = place;
  const path = partPath(team, 'manager', turn);
  const from = ctx.once('prepared', (): OfferedCommit | null => offeredBy(it.run, path) ?? null);
  if (!from) throw new ThermidorFailure('caid.setup', `the manager of ${it.run.name(place.path)} has left no commit`);
  const base = ctx.once('base', () => it.run.state.worktrees?.[from.slot]?.lease?.base ?? from.commit);
  const title = `prepare ${step.id}`;
  // What its engineers will need is asked for before there are any.
  const strategy = isShared(team) ? ({ strategy: 'merge' } as const) : {};
  const outcome = await landCandidate(it, place, ctx, 'prepare', { from, into: step.into, title, author: 'manager', ...strategy });
  if (outcome.kind === 'red' && outcome.isTargets)
    throw new ThermidorFailure('merge.target-red', `${describeTargetRed(outcome)}; mend it before a team begins`);
  if (outcome.kind !== 'merged')
    throw new ThermidorFailure(
      'caid.setup',
      `what the manager of ${it.run.name(place.path)} has prepared does not land in ${step.into}: ${wordsOfOutcome(outcome)}`,
    );
  const { result } = outcome;
  ctx.once('landed', () => note(team, 'prepared', { commit: result }));
  await ctx.through('closed', () => closeWorktreesOf(it, [from.slot]));
  return { base, head: result };
}
