import { talkId } from '../../activities/tools/talk';
import { isFailureCode } from '../../plan/failure';
import { field } from '../../plan/json';
import type { ScriptedOutcome } from '../../plan/script';
import type { RecordedCall } from '../../records/transcripts/read-call';

/**
 * The outcome of each turn of each talk, by its id: as its asker got it, with the last request of the turn. Only of those that were
 * made.
 */
export function talksOf(calls: readonly RecordedCall[]): ReadonlyMap<string, (string | undefined)[]> {
  const talks = new Map<string, (string | undefined)[]>();
  for (const { id, asks, effects } of calls) {
    const sends = effects.filter(({ sentTo }) => sentTo !== undefined);
    for (const { role, call, refused, text } of asks.flat()) {
      const agent = role === 'tool' && call?.tool === 'sessions_send' && !refused ? field(call.args, 'agent') : undefined;
      if (typeof agent !== 'string') continue;
      const key = talkId(id, agent);
      const told = talks.get(key) ?? [];
      // A turn whose answer was repaired had two requests.
      const { asked = told.length + 1 } = sends.shift() ?? {};
      told[asked - 1] = text;
      talks.set(key, told);
    }
  }
  return talks;
}

/** Why nothing came of a turn; undefined where the words say nothing of it. */
export function failureIn(told: string | undefined): ScriptedOutcome | undefined {
  const [, code = '', message = ''] = /^"[^"]*" could not answer: ([a-z.-]+): (.*)$/s.exec(told ?? '') ?? [];
  if (isFailureCode(code)) return { kind: 'fail', code, message };
  return told?.includes(' did not answer within ') ? { kind: 'fail', code: 'agent.timeout', message: told } : undefined;
}
