import { ThermidorFailure } from '../../plan/failure';
import type { ToolEffect } from '../../records/transcripts/transcript-log';
import { isReply } from '../../records/transcripts/turn';
import { REAL_TIMER, unlessAborted } from '../deadline';
import type { Toolbox } from '../toolbox';
import { countOwnTool, settleAccount, settleBroken } from './account';
import { requireOwnCalls } from './own-calls';
import type { Reply } from './reply';
import { replyIn } from './reply-turns';
import { requestTo, type Seat, type TryScope } from './seat';
import { type Signs, STUCK_MS, signsOfLife } from './signs-of-life';

const NOTHING: Reply = { text: '' };

/** Watches the agent, under a signal that a silence aborts with `agent.stuck`. */
export interface Watch {
  signs: Signs;
  signal: AbortSignal;
}

/** One request, as it is asked for. `isWhole`: whether a reply needs no more turns: a crash may have come before its end mark. */
export interface Question {
  ask: number;
  prompt: string;
  isWhole(reply: Reply): Promise<boolean>;
  /** What is noted with it, once it is made. */
  effect?: (() => Promise<ToolEffect>) | undefined;
}

export function watch({ stuckMs = STUCK_MS, timer = REAL_TIMER }: Toolbox, agent: string, outer: AbortSignal): Watch {
  const stuck = new AbortController();
  const silent = () =>
    stuck.abort(new ThermidorFailure('agent.stuck', `agent "${agent}" gave no sign of life for ${stuckMs} ms`, { agent, stuckMs }));
  return { signs: signsOfLife(stuckMs, timer, silent), signal: AbortSignal.any([outer, stuck.signal]) };
}

/**
 * The reply to one request: recorded, or asked for now. Recorded turns are kept, so nothing is
 * paid for twice but what was in flight.
 */
export async function replyTo(
  scope: TryScope,
  seat: Seat,
  { ask, prompt, isWhole, effect }: Question,
  signal: AbortSignal,
): Promise<Reply> {
  const { transcript, adapter, agent, signs } = seat;
  // What a crash has kept from it.
  await settleAccount(scope, seat);
  if (transcript.answered(ask)) return replyIn(transcript.of(ask)) ?? NOTHING;
  const before = await wholeReply(seat, ask, isWhole);
  if (before) return before;
  scope.meter.beforeRequest(agent.model, adapter);
  requireOwnCalls(scope, seat);
  await transcript.request(ask, seat.system, prompt, effect);
  const request = await requestTo(scope, seat, ask, prompt, signal);
  signal.throwIfAborted();
  const turns = adapter.run(request, signal)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await signs.awaiting(unlessAborted(signal, turns.next()));
      scope.holds.check();
      if (next.done) break;
      const turn = scope.meter.priced(next.value, agent.model, transcript.reserved());
      await transcript.add(ask, turn);
      countOwnTool(scope, seat, turn);
      if (turn.usage) await settleAccount(scope, seat);
      if (turn.calls) requireOwnCalls(scope, seat);
    }
  } catch (error) {
    // Not awaited: an adapter that hangs would hang here too.
    turns.return?.().catch(() => undefined);
    await settleBroken(scope, seat);
    throw error;
  }
  const whole = await wholeReply(seat, ask, isWhole);
  await transcript.end(ask, ...(whole ? (['noted'] as const) : []));
  return whole ?? replyIn(transcript.of(ask)) ?? NOTHING;
}

/** The recorded reply, where it needs no more turns and no mark that it is answered. */
async function wholeReply({ transcript }: Seat, ask: number, isWhole: Question['isWhole']): Promise<Reply | undefined> {
  const recorded = transcript.of(ask);
  const [given, last] = [replyIn(recorded), recorded.at(-1)];
  return given && last && isReply(last) && (await isWhole(given)) ? given : undefined;
}
