import type { SignalPayload } from '../../../plan/run/signal';
import type { NotApplied } from './planned-command';

/** Limits, in characters, of people's messages, which are in workflow state and in the journal. */
const LONGEST = {
  step: 1000,
  by: 200,
  to: 200,
  from: 200,
  type: 200,
  comment: 10_000,
  reason: 10_000,
} as const satisfies Partial<Record<keyof SignalPayload, number>>;
const LONGEST_JSON = 64 * 1024;
/** The limit of a proof's parts, far more than a seal has. */
const LONGEST_PROOF = 200;

export function whyTooLarge(payload: SignalPayload): NotApplied | undefined {
  for (const key of ['step', 'by', 'to', 'from', 'type', 'comment', 'reason'] as const) {
    if ((payload[key]?.length ?? 0) > LONGEST[key]) return tooLarge(key, LONGEST[key]);
  }
  for (const key of ['value', 'response', 'with', 'content'] as const) {
    const value = payload[key];
    if (value !== undefined && JSON.stringify(value).length > LONGEST_JSON) return tooLarge(key, LONGEST_JSON);
  }
  const { at = '', mac = '' } = payload.proof ?? {};
  if (Math.max(at.length, mac.length) > LONGEST_PROOF) return tooLarge('proof', LONGEST_PROOF);
  return undefined;
}

function tooLarge(key: string, most: number): NotApplied {
  return { outcome: 'refused', reason: `"${key}" has at most ${most} characters` };
}
