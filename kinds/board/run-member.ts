import type { MemberState } from '../../plan/board/board-state';
import type { MemberWork } from '../../plan/board/member-work';
import type { WorkOrder } from '../../plan/board/work-order';
import { defined, unlessEmpty } from '../../plan/defined';
import type { ArtifactRef } from '../../plan/run/artifact';
import { bug } from '../../plan/run/failure';
import type { FailureRecord } from '../../workflows/interpreter/context/attempt-log';
import type { PartEnd, StepContext } from '../../workflows/interpreter/context/step-context';
import { partOf, partPath } from '../../workflows/interpreter/patterns/parts';
import { agentStateOf } from '../../workflows/interpreter/state/kind-state';
import { QUICK_ACTIVITY_MS } from '../../workflows/interpreter/steps/activity-timeouts';
import { type Board, cutSleeper, keptOf, memberIn, slotSleeper, stateOf, tell } from './board';
import { inboxOf, postNews } from './exchanges';
import type { BoardEvent } from './machine/events';
import { dueOf, memberOf } from './machine/members';
import { ceilingsFor, keepPermissions, noteUse } from './work-use';
import { changedIn, closeEnded, isOfPlace, noteLeft, placeOfWork } from './worktrees';

/**
 * A slot's coroutine: waits for what the machine has put there, does it as one turn of the member's agent, and waits again. A member that
 * is idle waits once, with the moment at which it shuts down.
 */
export async function workInSlot(board: Board, ctx: StepContext, slot: number): Promise<void> {
  await ctx.loop<null, null>('works', null, async (turn) => {
    const due = turn.once('due', () => dueIn(board, slot) ?? null);
    const next = await turn.awaited('next', { sleeper: slotSleeper(board, slot), ...defined({ dueMs: due ?? undefined }) }, () =>
      nextIn(board, slot, due),
    );
    if (next?.kind === 'end') return { done: null };
    if (next === undefined) turn.once('idle-over', () => tell(board, isDue(board, slot)) ?? null);
    else if (next.kind === 'work') await work(board, turn, next.member, next.order);
    return { next: null };
  });
}

type Next = { kind: 'work'; member: string; order: WorkOrder } | { kind: 'again' } | { kind: 'end' };

/** Undefined as long as there is nothing to do but wait. `again`: the moment that ends the waiting is another one now. */
function nextIn(board: Board, slot: number, due: number | null): Next | undefined {
  const state = stateOf(board);
  if (state.over !== undefined) return { kind: 'end' };
  const member = memberIn(state, slot);
  if (member?.work) return { kind: 'work', member: member.name, order: { ...member.work } };
  return (dueIn(board, slot) ?? null) === due ? undefined : { kind: 'again' };
}

function dueIn(board: Board, slot: number): number | undefined {
  const state = stateOf(board);
  const member = memberIn(state, slot);
  return member && dueOf(state, member);
}

function isDue(board: Board, slot: number): BoardEvent {
  const member = memberIn(stateOf(board), slot);
  if (!member) throw bug(`nobody has slot ${slot}`);
  return { kind: member.status === 'failed' ? 'comes-back' : 'idle-over', member: member.name };
}

/** One WORK. While the run was paused the machine may have cut it off before it began. */
async function work(board: Board, ctx: StepContext, name: string, order: WorkOrder): Promise<void> {
  const text = await textOf(board, ctx, name, order);
  if (ctx.once('begins', () => !isCut(board, name, order.number))) await turnOf(board, ctx, name, order, text);
  if (order.worktree !== undefined) await closeEnded(board, ctx, order.worktree);
}

/** A turn of the part of the member's agent. It ends early if the machine has cut it off. */
async function turnOf(board: Board, ctx: StepContext, name: string, order: WorkOrder, text: ArtifactRef): Promise<void> {
  const { it, place } = board;
  const { number } = order;
  const agent = ctx.once('agent', () => memberOf(stateOf(board), name).agent);
  const member = ctx.once('member', () => memberWork(board, name, order));
  const where = order.worktree === undefined ? undefined : ctx.once('where', () => placeOfWork(board, order));
  const ceilings = ctx.once('ceilings', () => ceilingsFor(board, order) ?? null) ?? undefined;
  const { ended, failed } = await ctx.all(
    'work',
    {
      work: { part: partOf(it, place, agent), turn: number, given: { work: text }, member, ...where, ...defined({ ceilings }) },
      inbox: (own) => postNews(board, own, name, order),
      cut: (own) => own.awaited('cut', { sleeper: cutSleeper(board, name) }, () => (isCut(board, name, number) ? true : undefined)),
    },
    { enough: ({ work, cut }) => work !== undefined || cut !== undefined },
  );
  ctx.once('ended', () => {
    const end = ended['work'] as PartEnd | undefined;
    const failure = failed['work'];
    const kept = keptOf(board);
    const { end: how = 'stopped', short, report } = end?.work ?? {};
    // What it has said before it failed belongs to its conversation, too.
    const { context } = agentStateOf(it.run.state.records[partPath(place, agent, number)] ?? {})?.memberTurn ?? {};
    if (context) kept.contexts = { ...kept.contexts, [name]: [context] };
    noteLeft(board, order);
    if (isCut(board, name, number)) return null;
    noteUse(board, name);
    keepPermissions(board, name);
    const commit = report && changedIn(board, order);
    if (failure) tell(board, failedWork(name, failure));
    else tell(board, { kind: 'work-ended', member: name, end: how, ...defined({ short, report, commit }) });
    return null;
  });
}

function failedWork(member: string, { code, message }: FailureRecord): BoardEvent {
  return { kind: 'work-failed', member, code, reason: message, ...defined({ isPlace: isOfPlace(code) || undefined }) };
}

function isCut(board: Board, name: string, number: number): boolean {
  return memberOf(stateOf(board), name).work?.number !== number;
}

/** What the WORK begins with, as one text in the store: descriptions and long messages never travel through the run. */
async function textOf(board: Board, ctx: StepContext, name: string, order: WorkOrder): Promise<ArtifactRef> {
  const { run } = board.it;
  const input = () => ({
    run: run.ctx.info.firstRunId,
    as: `work-${order.number}`,
    ...beginningOf(board, memberOf(stateOf(board), name), order),
  });
  const options = { address: `${run.address(board.place.path)}/work-${order.number}`, startToCloseMs: QUICK_ACTIVITY_MS };
  const { artifact } = await ctx.call('text', 'boardWork', input, options);
  return artifact;
}

function beginningOf(board: Board, member: MemberState, order: WorkOrder) {
  const { tasks } = stateOf(board);
  const { begins, messages: ids = [], reminds = [], worktree } = order;
  const task = tasks.find(({ number }) => number === order.task);
  const open = tasks.filter(({ number }) => reminds.includes(number));
  return {
    begins,
    ...defined({
      task: task && { number: task.number, subject: task.subject, ...defined({ description: task.description, returned: task.returned }) },
      open: unlessEmpty(open.map(({ number, subject }) => ({ number, subject }))),
      messages: unlessEmpty(member.inbox.filter(({ id }) => ids.includes(id))),
      prompt: member.prompt,
      isInWorktree: worktree === undefined ? undefined : (true as const),
      into: worktree === undefined ? undefined : board.place.step.lands?.into,
    }),
  };
}

/** A member may have the name of what every object has. */
function contextOf(board: Board, name: string): ArtifactRef[] {
  const { contexts = {} } = keptOf(board);
  return Object.hasOwn(contexts, name) ? (contexts[name] ?? []) : [];
}

function memberWork(board: Board, name: string, order: WorkOrder): MemberWork {
  const { place } = board;
  const { team, members } = stateOf(board);
  const { role, isLead } = memberOf(stateOf(board), name);
  return {
    name,
    team,
    context: contextOf(board, name),
    inbox: inboxOf(board, order),
    maxTurns: place.step.maxTurns,
    others: members.flatMap((other) =>
      other.name === name ? [] : [{ name: other.name, status: other.status, ...defined({ role: other.role, isLead: other.isLead }) }],
    ),
    // A standing team works on days that are not the day on which its run began.
    ...defined({ begunAt: place.step.until === 'stopped' ? new Date(board.it.run.ctx.now()).toISOString() : undefined }),
    ...defined({ role, isLead, task: order.task, spawns: isLead ? place.step.spawns : undefined }),
  };
}
