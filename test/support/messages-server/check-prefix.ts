import { field, isJsonObject, type Json } from '../../../plan/json';
import { blocksOf } from './check-body';

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
      if (isSummary(body)) return [];
      const before = last.get(conversation);
      last.set(conversation, pieces);
      if (!before || isCondensed(body)) return [];
      const at = before.findIndex((piece, index) => piece !== pieces[index]);
      return at < 0 ? [] : [`${conversation}: piece ${at} is ${pieces[at] ?? 'missing'}, was ${before[at]}`];
    },
  };
}

/** Tools, system and the blocks of the messages, without the marks. */
export function piecesOf(body: Json): string[] {
  const messages = field(body, 'messages');
  const blocks = (Array.isArray(messages) ? messages : []).flatMap((message) =>
    blocksOf(message).map((block) => ({ role: field(message, 'role') ?? null, block })),
  );
  return [field(body, 'tools') ?? null, field(body, 'system') ?? null, ...blocks].map((piece) => JSON.stringify(unmarked(piece)));
}

function unmarked(value: Json): Json {
  if (Array.isArray(value)) return value.map(unmarked);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, inner]) => (key === 'cache_control' ? [] : [[key, unmarked(inner)]])));
}

function isSummary(body: Json): boolean {
  return JSON.stringify(field(body, 'system') ?? null).includes('You condense the working conversation');
}

function isCondensed(body: Json): boolean {
  return piecesOf(body)[2]?.includes('<identity>') ?? false;
}
