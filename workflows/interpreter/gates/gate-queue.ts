import { Cancelled } from '../../run-context';
import type { AgentQuestion } from '../context/attempt-log';
import type { StepContext } from '../context/step-context';
import type { Interpreter } from '../interpreter';
import type { Run } from '../run';
import type { Place } from '../scheduling/place';
import { attemptOf } from '../state/step-record';

/**
 * Several agents may be running in one step, which has one gate at a time: an agent that needs a person waits until the previous one has
 * its answer. So an answer is never taken for another's question, even in the next execution.
 */
export async function inGateQueue<T>(
  it: Interpreter,
  place: Place,
  ctx: StepContext,
  question: AgentQuestion,
  ask: () => Promise<T>,
): Promise<T> {
  await ctx.through('turn', async () => {
    // Checked again after each wait: another may have been woken first.
    while (hasOtherGates(it, place, question.key)) await untilGateAnswered(it, place);
    takeGateTurn(it, place, question);
  });
  try {
    return await ask();
  } finally {
    leaveGateTurn(it, place, question.key);
  }
}

/** Only the agent with the turn asks, until it has left. */
export function takeGateTurn({ run }: Interpreter, { path }: Place, question: AgentQuestion): void {
  attemptOf(run.record(path)).question = question;
}

/** The question is answered, or nobody needs the answer: its step may be gone by now. */
export function leaveGateTurn({ run }: Interpreter, { path }: Place, key: string): void {
  const { attempt } = run.state.records[path] ?? {};
  if (attempt?.question?.key !== key) return;
  delete attempt.question;
  run.wake(gateQueueWakeKey(path));
}

export function hasOtherGates({ run }: Interpreter, { path }: Place, key: string): boolean {
  const asking = run.record(path).attempt?.question;
  return asking !== undefined && asking.key !== key;
}

/** Whether its question is at a place, and still unanswered. */
export function hasGateTurn({ run }: Interpreter, { path }: Place, key: string): boolean {
  return run.record(path).attempt?.question?.key === key;
}

/** Whether a question may be asked at a place: of parallel work in its step only the one with the turn may. */
export function mayAsk(run: Run, { path, child }: Place): boolean {
  return !child || run.record(path).attempt?.question !== undefined;
}

/** Waits without a turn of its own: two that took one only to wait would pass it to each other forever. */
export async function untilGateAnswered({ run }: Interpreter, { path, child }: Place): Promise<void> {
  await run.sleepUntilWoken(gateQueueWakeKey(path), path);
  if (child?.over) throw new Cancelled();
}

export function gateQueueWakeKey(path: string): string {
  return `turn:${path}`;
}
