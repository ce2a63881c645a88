import { createHash } from 'node:crypto';
import { field, type Json, type JsonObject } from '../../../plan/text/json';

/**
 * Thinking is signed by the service and must be sent back unchanged. The record has its secrets masked, so each block carries a seal that
 * shows whether it was changed.
 */
function isThinking(block: Json): block is JsonObject {
  const type = field(block, 'type');
  return type === 'thinking' || type === 'redacted_thinking';
}

function sealOf(block: Json): string {
  const parts = ['type', 'thinking', 'signature', 'data'].map((name) => field(block, name) ?? null);
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** The part of a reply for the next request: its blocks, with the seals of those that are thinking, in order. */
export function sealedMessage(content: Json[]): Json {
  return { content, seals: content.filter(isThinking).map(sealOf) };
}

/** The blocks; without thinking if any of it was changed. Undefined if it is no message of this kind. */
export function openMessage(message: Json | undefined): Json[] | undefined {
  const content = field(message, 'content');
  const seals = field(message, 'seals');
  if (!Array.isArray(content)) return undefined;
  const thoughts = content.filter(isThinking);
  const whole = Array.isArray(seals) && seals.length === thoughts.length && thoughts.every((block, at) => sealOf(block) === seals[at]);
  return whole ? content : content.filter((block) => !isThinking(block));
}
