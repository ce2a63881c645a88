import { defined } from '../../plan/defined';
import type { ArtifactRef } from '../../plan/run/artifact';
import { bug, type ThermidorFailure } from '../../plan/run/failure';
import type { WorktreeLease } from '../../plan/run/worktree';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import { decide } from '../../workflows/interpreter/patterns/decide';
import { journalFeedback } from '../../workflows/interpreter/patterns/journal-feedback';
import type { PlaceOf } from '../../workflows/interpreter/scheduling/place';
import { openKindState } from '../../workflows/interpreter/state/kind-state';
import { noteOutput } from '../../workflows/interpreter/state/step-record';
import { workPolicy } from '../../workflows/interpreter/steps/activity-timeouts';
import { claim } from '../../workflows/interpreter/worktrees/claim';
import { slotOf, type WorktreeSlot } from '../../workflows/interpreter/worktrees/slot-of';
import { type AssignGiven, INCREMENTS_DOCUMENT, REVIEW_DOCUMENT } from './rules/assignment';
import {
  type DeliveredIncrement,
  type Delivery,
  type FailedGate,
  keptIncrements,
  lostIncrements,
  newDelivery,
  progressSignal,
  tasksLeft,
} from './rules/delivery';
import { takeUpAgain } from './rules/delivery-again';
import type { PlannedIncrement } from './rules/increments';

/** The shared state of a delivery: the step, its progress, and its worktree. */
export interface DeliveryStep {
  it: Interpreter;
  place: PlaceOf<'increments'>;
}

/** One attempt at an increment, which is a turn of the parts. `tasks`: those that nothing blocks. */
export interface Attempt {
  turn: number;
  id: string;
  tasks: string[];
}

export function stateOf({ it, place }: DeliveryStep): Delivery {
  const { delivery } = openKindState(it.run.record(place.path), 'increments');
  if (!delivery) throw internal({ it, place }, 'has not begun');
  return delivery;
}

export function incrementOf(step: DeliveryStep, id: string): DeliveredIncrement {
  const found = stateOf(step).increments.find((one) => one.id === id);
  if (!found) throw internal(step, `has no ${id}`);
  return found;
}

/**
 * A further try continues with the increment that broke off. A step that is sent back, or tried again, tries lost increments again; if
 * there was none, or if the plan is another, it is a delivery of its own, on top of the worktree's content.
 */
export function openDelivery(step: DeliveryStep, plan: ArtifactRef, increments: readonly PlannedIncrement[]): void {
  const kept = openKindState(step.it.run.record(step.place.path), 'increments');
  const isSame = kept.plan === plan.sha256;
  const isLost = kept.delivery !== undefined && lostIncrements(kept.delivery).length > 0;
  const isSentBack = step.it.run.record(step.place.path).brief?.findings !== undefined;
  const isLeftOut = kept.delivery !== undefined && kept.delivery.blockedTasks.length > 0;
  const isAnew = kept.isOver === true && !isLost && (isSentBack || isLeftOut);
  if (!kept.delivery || !isSame || isAnew) kept.delivery = newDelivery(increments, leaseOf(step).commit);
  else if (kept.isOver) takeUpAgain(kept.delivery);
  Object.assign(kept, { plan: plan.sha256, slot: slotFor(step).slot });
  delete kept.isOver;
}

export function nextTurn({ it, place }: DeliveryStep): number {
  const kept = openKindState(it.run.record(place.path), 'increments');
  kept.turn = (kept.turn ?? 0) + 1;
  return kept.turn;
}

/** How far it is enters the journal and the view. */
export function noteProgress(step: DeliveryStep): void {
  journalFeedback(step.it, step.place, { type: 'progress', data: progressSignal(stateOf(step)) });
  step.it.changed();
}

/** The assignment of an attempt, which its parts and its gates get. */
export async function assign(
  step: DeliveryStep,
  ctx: StepContext,
  { turn, id, tasks }: Attempt,
  { plan, review }: { plan: ArtifactRef; review?: ArtifactRef | undefined },
): Promise<ArtifactRef> {
  const { it, place } = step;
  const delivery = stateOf(step);
  const given = (): AssignGiven => {
    const { attempts } = incrementOf(step, id);
    const { fix, at, increments } = delivery;
    const { instructions } = findingsOf(step);
    return {
      ...{ id, number: increments.findIndex((one) => one.id === id) + 1, of: increments.length, attempt: attempts, tasks },
      ...{ base_commit: at, delivered: keptIncrements(delivery).map((one) => one.id) },
      ...defined({ fix, asked_for: instructions }),
    };
  };
  const said = review ?? findingsOf(step).report;
  const documents = { [INCREMENTS_DOCUMENT]: plan, ...defined({ [REVIEW_DOCUMENT]: said }) };
  const { artifact } = await decide<'assign'>(it, place, ctx, `increment-${turn}`, () => ({
    call: { rule: 'assign', given: given() },
    documents,
  }));
  return artifact;
}

/** The findings with which the step was sent back. */
function findingsOf({ it, place }: DeliveryStep): { instructions?: string; report?: ArtifactRef } {
  return it.run.record(place.path).brief?.findings ?? {};
}

export function attemptAt(step: DeliveryStep, increment: DeliveredIncrement): Attempt {
  return { turn: nextTurn(step), id: increment.id, tasks: tasksLeft(stateOf(step), increment).map(({ id }) => id) };
}

/** Makes the worktree, if the run has none yet: the first increment is rolled back to its commit. */
export async function openWorktree(step: DeliveryStep, ctx: StepContext): Promise<void> {
  const { it, place } = step;
  await ctx.through('worktree', async () => void (await claim(it, place, slotFor(step), { address: it.run.address(place.path) })));
}

/**
 * Restores the worktree to the last kept commit, unless it is there: after an attempt that is rolled back, after a try that broke off, and
 * in a rerun. If a worker is killed in between, the next one repeats it.
 */
export async function putBack(step: DeliveryStep, ctx: StepContext, as: string, commit = () => stateOf(step).at): Promise<void> {
  const { it, place } = step;
  const { run } = it;
  const to = ctx.once(`kept-${as}`, () => {
    const wanted = commit();
    return leaseOf(step).commit === wanted && !stateOf(step).strayed ? null : wanted;
  });
  if (to === null) return;
  const options = { address: `${run.address(place.path)}/restore-${as}`, ...workPolicy(undefined) };
  await ctx.call(`restore-${as}`, 'restoreWorktree', () => ({ run: run.ctx.info.firstRunId, to }), options);
  ctx.once(`restored-${as}`, () => {
    delete stateOf(step).strayed;
    const { slot, host } = leaseOf(step);
    run.journal.add({ kind: 'worktree', step: slot, event: 'restored', host, commit: to });
  });
}

/** A merge takes the commit in its worktree. */
export function concludeDelivery(step: DeliveryStep): void {
  openKindState(step.it.run.record(step.place.path), 'increments').isOver = true;
  noteOutput(step.it.run.record(step.place.path), { worktree: { slot: slotFor(step).slot, commit: leaseOf(step).commit } });
}

export function leaseOf(step: DeliveryStep): WorktreeLease {
  const { lease } = step.it.run.state.worktrees?.[slotFor(step).slot] ?? {};
  if (!lease) throw internal(step, 'has no worktree yet');
  return lease;
}

function slotFor(step: DeliveryStep): WorktreeSlot {
  const slot = slotOf(step.it.run, step.place);
  if (!slot) throw internal(step, 'has no worktree');
  return slot;
}

export function failsOf(failed: readonly FailedGate[]): string {
  return failed.map(({ gate }) => gate).join(', ');
}

function internal({ it, place }: DeliveryStep, problem: string): ThermidorFailure {
  return bug(`${it.run.name(place.path)} ${problem}`);
}
