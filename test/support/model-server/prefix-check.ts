import type { Json } from '../../../plan/text/json';

/**
 * Whether each request of a conversation begins as the one before: what a cache lives on. A conversation is what the idempotency key names
 * before its last two parts. A context that was condensed begins a new one; a request for a summary is alone.
 */
export interface PrefixCheck {
  /** What is different, in words. */
  take(idempotencyKey: string, body: Json): string[];
}

/** @param piecesOf tools, the system's text, then what was said, oldest first */
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
