import { ThermidorFailure } from '../plan/failure';
import type { Turn } from './agent-port';
import { REAL_TIMER, unlessAborted } from './deadline';
import { requestTo, type Seat, type TryScope } from './seat';
import { type Signs, STUCK_MS, signsOfLife } from './signs-of-life';
import type { Toolbox } from './toolbox';

/** Watches whoever is asked, under a signal that a silence aborts with `agent.stuck`. */
export interface Watch {
  signs: Signs;
  signal: AbortSignal;
}

export function watch({ stuckMs = STUCK_MS, timer = REAL_TIMER }: Toolbox, agent: string, outer: AbortSignal): Watch {
  const stuck = new AbortController();
  const silent = () =>
    stuck.abort(new ThermidorFailure('agent.stuck', `agent "${agent}" gave no sign of life for ${stuckMs} ms`, { agent, stuckMs }));
  return { signs: signsOfLife(stuckMs, timer, silent), signal: AbortSignal.any([outer, stuck.signal]) };
}

/**
 * The reply to one request: as it is recorded, or asked for now. What the transcript has of it is used as it stands, so nothing is
 * paid for twice but what was in flight.
 *
 * @param isWhole whether a reply needs no more turns, as it stands: a crash may have come before its end mark
 */
export async function replyTo(
  scope: TryScope,
  seat: Seat,
  { ask, prompt, isWhole }: { ask: number; prompt: string; isWhole(reply: string): boolean },
  signal: AbortSignal,
): Promise<string> {
  const { transcript, adapter, agent, signs } = seat;
  if (transcript.answered(ask)) return lastReply(transcript.of(ask)) ?? '';
  const last = transcript.of(ask).at(-1);
  if (last && isReply(last) && isWhole(last.text)) return last.text;
  scope.meter.beforeRequest(agent.model, adapter);
  await transcript.request(ask, prompt);
  signal.throwIfAborted();
  const turns = adapter.run(requestTo(scope, seat, ask, prompt, signal), signal)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await signs.awaiting(unlessAborted(signal, turns.next()));
      scope.holds.check();
      if (next.done) break;
      await transcript.add(ask, scope.meter.priced(next.value, agent.model));
    }
  } catch (error) {
    // Not awaited: an adapter that hangs would hang here too.
    turns.return?.().catch(() => undefined);
    throw error;
  }
  await transcript.end(ask);
  return lastReply(transcript.of(ask)) ?? '';
}

function lastReply(turns: readonly Turn[]): string | undefined {
  return turns.findLast(isReply)?.text;
}

/** What an agent says while it calls a tool is no reply. */
function isReply({ role, call }: Turn): boolean {
  return role === 'assistant' && call === undefined;
}
