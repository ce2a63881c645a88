import type { HookSignature } from '../../plan/web-hook';
import type { CallbackWays } from '../callbacks/chat-callback';
import { hmac, isSame } from '../callbacks/signatures';

/** A delivery as it came. Signatures are over exactly these bytes. */
export interface Delivery {
  body: Buffer;
  headers: Headers;
}

export interface HookProof {
  isSigned: boolean;
  /** Seconds since 1970, as text, that the signature covers. Absent: it covers none. */
  timestamp?: string;
  /** What the sender calls the delivery, if that can be believed. Absent: its content tells it from others. */
  id?: string;
  /** Why nothing can be signed so. It holds nothing of the secret. */
  problem?: string;
}

const VISIBLE = /^[\x21-\x7e]{1,200}$/;
const BASE64 = /^[A-Za-z0-9+/]{20,}={0,2}$/;

/** Whether the delivery is signed with the secret, by the rules of its sender's service. */
export function proofOf(signature: HookSignature, secret: string, { body, headers }: Delivery, chats: CallbackWays['chats']): HookProof {
  const header = (name: string): string => headers.get(name) ?? '';
  switch (signature) {
    // Neither id nor event of a delivery are signed, and there is no time: only the content counts.
    case 'github':
      return { isSigned: isSame(header('x-hub-signature-256'), `sha256=${hmac(secret, body)}`) };
    // The secret itself is sent, so its holder may say anything.
    case 'gitlab': {
      const id = header('idempotency-key');
      return { isSigned: isSame(header('x-gitlab-token'), secret), ...(VISIBLE.test(id) ? { id } : {}) };
    }
    case 'standard':
      return standardProof(secret, body, header);
    default: {
      const { signatureIn, isSigned } = chats[signature];
      const { signature: written, timestamp } = signatureIn(headers);
      return { isSigned: isSigned(secret, timestamp, body, written), timestamp };
    }
  }
}

/** `v1,` and the HMAC-SHA-256 in base64 over `id.timestamp.body`; several while a key is changed. */
function standardProof(secret: string, body: Buffer, header: (name: string) => string): HookProof {
  const encoded = secret.replace(/^whsec_/, '');
  if (!BASE64.test(encoded)) return { isSigned: false, problem: 'the secret is not in base64, as Standard Webhooks have it' };
  const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')];
  const mac = Buffer.from(hmac(Buffer.from(encoded, 'base64'), Buffer.from(`${id}.${timestamp}.`), body), 'hex');
  const expected = `v1,${mac.toString('base64')}`;
  const isSigned = header('webhook-signature')
    .split(' ')
    .map((one) => isSame(one, expected))
    .includes(true);
  return { isSigned: isSigned && VISIBLE.test(id), timestamp, id };
}
