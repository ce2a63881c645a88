import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../text/json';
import { CHAT_NAMES, type Chat } from './chats';

/**
 * How a decision, or the start of a run, proves whose it is. The way it came in checks the person (a chat's signature, a person's own
 * token) and seals what they said with a key; an activity of the run's worker checks the seal. The key never travels.
 *
 * `console`: sealed with the person's own token. The others: with the service key that the workers and the listener share.
 */
export type ProofChannel = 'console' | Chat | 'webhook' | 'link';
export const PROOF_CHANNELS: readonly ProofChannel[] = ['console', ...CHAT_NAMES, 'webhook', 'link'];

export interface Proof {
  channel: ProofChannel;
  /** When it was sealed, ISO 8601. */
  at: string;
  /** HMAC-SHA-256 over `sealedText`, in hexadecimal digits without capitals. */
  mac: string;
}

/** Everything that a seal binds. Unset fields are left out. */
export interface Sealed {
  run: string;
  /** The signal: `approve`, `reject`, `respond`, … */
  name: string;
  step: string;
  by: string;
  /** Digest of what was shown. */
  shown: string;
  comment?: string;
  value?: Json;
  response?: Json;
  to?: string;
}

/** Everything that the seal of a start binds: one run, with one input. */
export interface SealedStart {
  kind: 'start';
  namespace: string;
  /** The workflow id. */
  run: string;
  /** The workflow type. */
  pipeline: string;
  by: string;
  /** The whole input of the workflow, but for the proof itself. */
  input: JsonObject;
}

/**
 * The text that is sealed: the same for sealing and checking. It begins with its purpose, so the seal of a start never counts as one of a
 * decision, nor the other way round.
 */
export function sealedText(sealed: Sealed | SealedStart, { channel, at }: Pick<Proof, 'channel' | 'at'>): string {
  if ('kind' in sealed) {
    const { namespace, run, pipeline, by, input } = sealed;
    return JSON.stringify(['thermidor-start-1', channel, at, namespace, run, pipeline, by, canonicalJson(input)]);
  }
  const { run, name, step, by, shown, comment, value, response, to } = sealed;
  const text = [comment, value, response, to].map((part) => part ?? null);
  return JSON.stringify(['thermidor-decision-1', channel, at, run, name, step, by, shown, ...text]);
}

export function readProof(value: unknown): Proof | undefined {
  if (!isJsonObject(value)) return undefined;
  const { channel, at, mac } = value;
  const known = PROOF_CHANNELS.find((word) => word === channel);
  return known && typeof at === 'string' && typeof mac === 'string' ? { channel: known, at, mac } : undefined;
}
