import type { Json } from '../../../plan/text/json';

/**
 * Checks that each request of a conversation begins like the one before, which a cache needs. The idempotency key without its last two
 * parts names the conversation. A condensed context begins a new conversation; a request for a summary belongs to none.
 */
export interface PrefixCheck {
  /** The differences, in words. */
  take(idempotencyKey: string, body: Json): string[];
}

/** @param piecesOf tools, the system's text, then the messages, oldest first */
export function prefixCheck(piecesOf: (body: Json) => string[]): PrefixCheck {
  const last = new Map<string, string[]>();
  return {
    take(idempotencyKey, body) {
      const conversation = idempotencyKey.split('/').slice(0, -2).join('/');
      const pieces = piecesOf(body);
      const [, system, first] = pieces;
      if (system?.includes('You condense the working conversation')) return [];
      const before = last.get(conversation);
      last.set(conversation, pieces);
      if (!before || first?.includes('<identity>')) return [];
      const at = before.findIndex((piece, index) => piece !== pieces[index]);
      return at < 0 ? [] : [`${conversation}: piece ${at} is ${pieces[at] ?? 'missing'}, was ${before[at]}`];
    },
  };
}
