import { ThermidorFailure } from '../../plan/failure';
import { callsMade } from '../../records/transcripts/turn';
import type { Seat, TryScope } from './seat';

/**
 * Whether an agent whose program has tools of its own may continue: it asks nobody before it calls one, so it is stopped once it has
 * called one
 * too many. What that has done is done, and is in the transcript. Holds where the budget's calls are used up; fails with
 * `agent.turns-used-up` where the agent's own are.
 */
export function requireOwnCalls({ meter }: TryScope, { adapter, agent, transcript }: Seat): void {
  if (!adapter.ownTools) return;
  const limit = agent.limits?.toolCalls;
  const called = callsMade(transcript.turns());
  if (limit !== undefined && called > limit) {
    const message = `agent "${agent.id}" used up its ${limit} tool calls without an answer; limits.tool_calls of its file raises that`;
    throw new ThermidorFailure('agent.turns-used-up', message, { agent: agent.id, toolCalls: called });
  }
  meter.requireCalled();
}
