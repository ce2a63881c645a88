import { ThermidorFailure } from '../../plan/run/failure';
import type { ToolEffect } from '../../records/transcripts/transcript-log';
import { callsMade, isReply, type Turn } from '../../records/transcripts/turn';
import { contextTokens } from '../../records/transcripts/turn-tokens';
import { REAL_TIMER, unlessAborted } from '../deadline';
import type { Toolbox } from '../toolbox';
import { type AgentSession, type AttemptScope, agentRequest } from './agent-session';
import { announceMove } from './announce-move';
import { countOwnTool, settleAccount, settleInterrupted } from './budget/account';
import { type InactivityTimeout, inactivityTimeout, STUCK_MS } from './inactivity-timeout';
import type { Reply } from './reply';
import { replyFromTurns } from './reply-from-turns';

const NOTHING: Reply = { text: '' };

/** Watches the agent, under a signal that a silence aborts with `agent.stuck`. */
export interface SilenceWatch {
  signs: InactivityTimeout;
  signal: AbortSignal;
}

/** One request. `isWhole`: whether a reply needs no more turns: a crash may have come before its end mark. */
export interface ReplyRequest {
  ask: number;
  prompt: string;
  isWhole(reply: Reply): Promise<boolean>;
  /** What is recorded with it, once it is made. */
  effect?: (() => Promise<ToolEffect>) | undefined;
}

export function watchSilence({ stuckMs = STUCK_MS, timer = REAL_TIMER }: Toolbox, agent: string, outer: AbortSignal): SilenceWatch {
  const stuck = new AbortController();
  const silent = () =>
    stuck.abort(new ThermidorFailure('agent.stuck', `agent "${agent}" gave no sign of life for ${stuckMs} ms`, { agent, stuckMs }));
  return { signs: inactivityTimeout(stuckMs, timer, silent), signal: AbortSignal.any([outer, stuck.signal]) };
}

/** The reply to one request: recorded, or requested now. Recorded turns are kept, so only a request in flight can be paid for twice. */
export async function requestReply(
  scope: AttemptScope,
  session: AgentSession,
  { ask, prompt, isWhole, effect }: ReplyRequest,
  signal: AbortSignal,
): Promise<Reply> {
  const { transcript, adapter, agent, signs } = session;
  // Accounts for replies that a crash left out.
  await settleAccount(scope, session);
  if (transcript.answered(ask)) return replyFromTurns(transcript.of(ask)) ?? NOTHING;
  const before = await wholeReply(session, ask, isWhole);
  if (before) return before;
  scope.meter.beforeRequest(agent.model, adapter);
  requireCallsLeft(scope, session);
  await transcript.request(ask, session.system, prompt, effect);
  await announceMove(scope, session, ask);
  const request = await agentRequest(scope, session, ask, prompt, signal);
  signal.throwIfAborted();
  const texts = (turn: Turn) => contextTokens(session.system, [...request.transcript(), turn]);
  const turns = adapter.run(request, signal)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await signs.awaiting(unlessAborted(signal, turns.next()));
      scope.pauses.check();
      if (next.done) break;
      const turn = scope.meter.priced(next.value, agent.model, {
        reserved: transcript.reserved(),
        // An adapter that asks beforehand reports its whole usage.
        ...(adapter.affords ? {} : { texts }),
      });
      await transcript.add(ask, turn);
      await scope.pushCommits();
      countOwnTool(scope, session, turn);
      if (turn.usage) await settleAccount(scope, session);
      if (turn.calls) requireCallsLeft(scope, session);
    }
  } catch (error) {
    // Not awaited: an adapter that hangs would hang here too.
    turns.return?.().catch((problem: unknown) => {
      if (problem === signal.reason) return;
      const fields = { call: session.id, adapter: adapter.name, problem: scope.secrets.mask(String(problem)) };
      scope.toolbox.log('warn', 'an adapter has not cleaned up after a request that was broken off', fields);
    });
    await settleInterrupted(scope, session);
    throw error;
  }
  const whole = await wholeReply(session, ask, isWhole);
  await transcript.end(ask, ...(whole ? (['noted'] as const) : []));
  return whole ?? replyFromTurns(transcript.of(ask)) ?? NOTHING;
}

/** The recorded reply, if it needs no more turns and no end mark. */
async function wholeReply({ transcript }: AgentSession, ask: number, isWhole: ReplyRequest['isWhole']): Promise<Reply | undefined> {
  const recorded = transcript.of(ask);
  const [given, last] = [replyFromTurns(recorded), recorded.at(-1)];
  return given && last && isReply(last) && (await isWhole(given)) ? given : undefined;
}

/**
 * Whether an agent whose program has tools of its own may continue: it does not ask before it calls one, so it is stopped after one call
 * too many. The effect of that call remains, and is in the transcript. Holds if the budget's calls are used up; fails with
 * `agent.turns-used-up` if the agent's own are.
 */
function requireCallsLeft({ meter }: AttemptScope, { adapter, agent, transcript }: AgentSession): void {
  if (!adapter.ownTools) return;
  const limit = agent.limits?.toolCalls;
  const called = callsMade(transcript.turns());
  if (limit !== undefined && called > limit) {
    const message = `agent "${agent.id}" used up its ${limit} tool calls without an answer; limits.tool_calls of its file raises that`;
    throw new ThermidorFailure('agent.turns-used-up', message, { agent: agent.id, toolCalls: called });
  }
  meter.requireCalled();
}
