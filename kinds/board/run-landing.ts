import { defined } from '../../plan/defined';
import type { Offer } from '../../plan/queue/landing';
import type { TicketOutcome } from '../../plan/queue/ticket';
import type { ArtifactRef } from '../../plan/run/artifact';
import type { ThermidorFailure } from '../../plan/run/failure';
import type { BoardStep } from '../../plan/steps/step';
import { unreachable } from '../../plan/unreachable';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import { landCandidate } from '../../workflows/interpreter/merging/land-candidate';
import { offeredFrom } from '../../workflows/interpreter/merging/offered-commits';
import { describeReturned, instructionsFor } from '../../workflows/interpreter/merging/outcomes';
import { stored } from '../../workflows/interpreter/patterns/parts';
import { type Board, keptOf, landingSleeper, slotOfTask, stateOf, tell } from './board';
import type { BoardEvent } from './machine/events';
import type { Landing } from './state';
import { closeEnded } from './worktrees';

/**
 * A landing slot's coroutine: takes a completed task, waits until the merge queue has its outcome, and takes the next. Tasks come while the
 * board runs, so the slots are there from the beginning.
 */
export async function landInSlot(board: Board, ctx: StepContext, slot: number): Promise<void> {
  await ctx.loop<null, null>('landings', null, async (turn) => {
    const next = await turn.awaited('next', { sleeper: landingSleeper(board, slot) }, () => nextLanding(board, slot));
    if (!next || next.kind === 'end') return { done: null };
    await land(board, turn, next.landing);
    return { next: null };
  });
}

function nextLanding(board: Board, slot: number): { kind: 'land'; landing: Landing } | { kind: 'end' } | undefined {
  if (stateOf(board).over !== undefined) return { kind: 'end' };
  const landing = keptOf(board).landings?.find((one) => one.slot === undefined);
  if (!landing) return undefined;
  landing.slot = slot;
  return { kind: 'land', landing: { ...landing } };
}

async function land(board: Board, ctx: StepContext, { task, offers, commit }: Landing): Promise<void> {
  const { it, place } = board;
  const { into } = landsOf(board);
  const offer = ctx.once('offer', () => offerOf(board, task, commit) ?? null);
  const ended = offer ? await ctx.attempt(() => landCandidate(it, place, ctx, `land-${task}-${offers}`, offer)) : { failure: undefined };
  // No member can mend it, and no other task would land.
  if ('failure' in ended && ended.failure?.code === 'merge.strategy') throw ended.failure;
  const whole = 'value' in ended ? wholeOf(ended.value, into) : undefined;
  const text = whole === undefined ? undefined : await stored(it, place, ctx, `returned-${task}-${offers}`, () => whole);
  ctx.once('outcome', () => {
    const kept = keptOf(board);
    kept.landings = (kept.landings ?? []).filter((one) => one.task !== task);
    tell(board, 'value' in ended ? eventOf(task, ended.value, text) : failed(task, ended.failure));
    return null;
  });
  await closeEnded(board, ctx, task);
}

function landsOf({ place }: Board): NonNullable<BoardStep['lands']> {
  return place.step.lands ?? { into: '' };
}

/** Undefined if the run has no such worktree any more. */
function offerOf(board: Board, task: number, commit: string): Offer | undefined {
  const { into, test, strategy } = landsOf(board);
  const from = offeredFrom(board.it.run, slotOfTask(board, task), commit);
  const { subject = '', owner } = stateOf(board).tasks.find(({ number }) => number === task) ?? {};
  return (
    from && { from, into, title: `#${task}: ${subject}`, author: owner ?? stateOf(board).team, ...defined({ baseline: test, strategy }) }
  );
}

function eventOf(task: number, outcome: TicketOutcome, whole: ArtifactRef | undefined): BoardEvent {
  if (outcome.kind === 'merged') return { kind: 'landed', task, commit: outcome.result };
  // A branch of another history has nothing to be on top of.
  const onto = 'onto' in outcome && outcome.kind !== 'unrelated' ? outcome.onto : undefined;
  return {
    kind: 'came-back',
    task,
    reason: describeReturned(outcome),
    ...defined({ whole, onto, isNoFault: isNoFault(outcome) || undefined }),
  };
}

/** Each further reply of a member would be paid for in vain. */
function isNoFault(outcome: TicketOutcome): boolean {
  switch (outcome.kind) {
    case 'red':
      return outcome.isTargets === true;
    case 'refused':
    case 'failed':
    case 'dropped':
      return true;
    case 'merged':
    case 'conflict':
    case 'restricted':
    case 'markers':
    case 'unrelated':
      return false;
    default:
      return unreachable(outcome);
  }
}

/** The queue could not be asked; or there is nothing to offer, and the work begins anew. */
function failed(task: number, failure: ThermidorFailure | undefined): BoardEvent {
  if (!failure) return { kind: 'came-back', task, reason: 'its worktree is gone' };
  return { kind: 'came-back', task, reason: `${failure.code}: ${failure.message}`, isNoFault: true };
}

/** What the author has to do about it. */
function wholeOf(outcome: TicketOutcome, into: string): string | undefined {
  switch (outcome.kind) {
    case 'conflict':
    case 'restricted':
    case 'markers':
    case 'red':
      return instructionsFor(outcome, into);
    case 'merged':
    case 'unrelated':
    case 'refused':
    case 'failed':
    case 'dropped':
      return undefined;
    default:
      return unreachable(outcome);
  }
}
