import { createHash } from 'node:crypto';
import { field, type Json, type JsonObject } from '../../../plan/text/json';

/**
 * Thinking is signed by the service and must come back as it was. What is recorded has its secrets masked, so each block carries a seal
 * that shows whether it was.
 */
function isThinking(block: Json): block is JsonObject {
  const type = field(block, 'type');
  return type === 'thinking' || type === 'redacted_thinking';
}

export function sealOf(block: Json): string {
  const parts = ['type', 'thinking', 'signature', 'data'].map((name) => field(block, name) ?? null);
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** What a reply leaves for the next request: its blocks, with the seals of those that are thinking, in order. */
export function sealedMessage(content: Json[]): Json {
  return { content, seals: content.filter(isThinking).map(sealOf) };
}

/** The blocks; without thinking where any of it is not what it was. Undefined where it is no message of this kind. */
export function openMessage(message: Json | undefined): Json[] | undefined {
  const content = field(message, 'content');
  const seals = field(message, 'seals');
  if (!Array.isArray(content)) return undefined;
  const thoughts = content.filter(isThinking);
  const whole = Array.isArray(seals) && seals.length === thoughts.length && thoughts.every((block, at) => sealOf(block) === seals[at]);
  return whole ? content : content.filter((block) => !isThinking(block));
}
