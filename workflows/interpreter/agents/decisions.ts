import type { DecisionAnswer, DecisionRequest } from '../../../plan/agents/decision';
import type { AgentCallState } from '../context/attempt-log';
import type { StepContext } from '../context/step-context';
import type { Interpreter } from '../interpreter';
import type { Run } from '../run';
import type { Place } from '../scheduling/place';

/**
 * Decisions that an agent's calls of tools wait for. The kind of the step around it decides, in the step in which the pause is taken up;
 * what it cannot decide yet is asked again when its answer is there. The agent's next call has the answers.
 *
 * Invariant: an answer is kept with the agent's call in the step in which it is given, and stays until the agent asks for something else:
 * a call that asks again, after a crash or in a try that continues from this one, gets the same answer.
 */

/** Decides what can be decided at once. Returns what cannot. */
export function decideNow(it: Interpreter, place: Place, keeps: AgentCallState, asks: readonly DecisionRequest[]): DecisionRequest[] {
  keeps.decisions = (keeps.decisions ?? []).filter(({ id }) => asks.some((ask) => ask.id === id));
  return asks.filter((ask) => !decided(it, place, keeps, ask));
}

/** Waits until each of them is decided. */
export async function untilDecided(
  it: Interpreter,
  place: Place,
  ctx: StepContext,
  keeps: AgentCallState,
  asks: readonly DecisionRequest[],
): Promise<void> {
  it.rest(place);
  for (const [at, ask] of asks.entries())
    await ctx.awaited(`decision-${at}`, { sleeper: decisionSleeper(ask.id) }, () => decided(it, place, keeps, ask) || undefined);
  it.resume(place);
}

/** The answer to an earlier request is there. */
export function wakeForDecision(run: Run, id: string): void {
  run.wake(decisionSleeper(id));
}

function decided(it: Interpreter, place: Place, keeps: AgentCallState, ask: DecisionRequest): boolean {
  const before: readonly DecisionAnswer[] = keeps.decisions ?? [];
  if (before.some(({ id }) => id === ask.id)) return true;
  const answer = it.kinds.decide(it, place, ask);
  if (answer) keeps.decisions = [...before, { ...answer, id: ask.id }];
  return answer !== undefined;
}

function decisionSleeper(id: string): string {
  return `decision:${id}`;
}
