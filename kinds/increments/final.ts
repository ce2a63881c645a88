import type { FailureCode } from '../../plan/run/failure';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import { partIn } from '../../workflows/interpreter/patterns/parts';
import { type DeliveryStep, nextTurn, noteProgress, putBack, stateOf } from './delivery-step';
import { FINAL_PART } from './model';
import { type Delivery, keepFirst, keptIncrements } from './rules/delivery';

/**
 * Validates the whole. If it fails, increments are taken back from the last on until it passes: the one taken back last is the first that
 * breaks it. If it fails even without any increment, none is to blame, and all stay.
 *
 * @returns whether the kept increments are valid
 */
export async function validateWhole(step: DeliveryStep, ctx: StepContext): Promise<boolean> {
  const { parts, id } = step.place.step;
  const part = partIn(parts, id, FINAL_PART);
  const all = ctx.once('kept', () => keptIncrements(stateOf(step)).length);
  if (!part || all === 0) return true;
  const count = await ctx.loop<number, number | null>('final', all, async (turn, left) => {
    const number = turn.once('turn', () => nextTurn(step));
    await putBack(step, turn, `final-${number}`, () => commitOf(stateOf(step), left));
    const tried = await turn.attempt(() => turn.step(part, { turn: number }));
    if (!('failure' in tried)) return { done: left };
    if (!OF_COMMANDS.includes(tried.failure.code)) throw tried.failure;
    return left === 0 ? { done: null } : { next: left - 1 };
  });
  ctx.once('validated', () => {
    const delivery = stateOf(step);
    keepFirst(delivery, count ?? all);
    if (count !== all) noteProgress(step);
  });
  await putBack(step, ctx, 'final');
  return count !== null;
}

const OF_COMMANDS: readonly FailureCode[] = ['command.failed', 'command.timeout', 'output.too-large'];

function commitOf(delivery: Delivery, count: number): string {
  return keptIncrements(delivery)[count - 1]?.commit ?? delivery.base;
}
