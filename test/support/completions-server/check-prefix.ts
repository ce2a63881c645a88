import { field, type Json } from '../../../plan/json';

/**
 * Whether each request of a conversation begins as the one before: what a cache lives on. A conversation is what the idempotency key names
 * before its last two parts. A context that was condensed begins a new one; a request for a summary stands alone.
 */
export interface PrefixCheck {
  /** What is different, in words. */
  take(idempotencyKey: string, body: Json): string[];
}

export function prefixCheck(): PrefixCheck {
  const last = new Map<string, string[]>();
  return {
    take(idempotencyKey, body) {
      const conversation = idempotencyKey.split('/').slice(0, -2).join('/');
      const pieces = piecesOf(body);
      if (pieces.some((piece) => piece.includes('You condense the working conversation'))) return [];
      const before = last.get(conversation);
      last.set(conversation, pieces);
      if (!before || pieces[2]?.includes('<identity>')) return [];
      const at = before.findIndex((piece, index) => piece !== pieces[index]);
      return at < 0 ? [] : [`${conversation}: piece ${at} is ${pieces[at] ?? 'missing'}, was ${before[at]}`];
    },
  };
}

/** Tools, then the messages. */
export function piecesOf(body: Json): string[] {
  const messages = field(body, 'messages');
  return [field(body, 'tools') ?? null, ...(Array.isArray(messages) ? messages : [])].map((piece) => JSON.stringify(piece));
}
