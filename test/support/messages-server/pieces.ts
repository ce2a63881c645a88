import { field, isJsonObject, type Json } from '../../../plan/text/json';
import { blocksOf } from './check-body';

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

/** Texts of the last message of the user, including results of calls. */
export function saidIn(body: Json): string {
  const asked = [field(body, 'messages') ?? []].flat().findLast((message) => field(message, 'role') === 'user');
  const texts = [field(asked, 'content') ?? []].flat().map((block) => field(block, 'text') ?? field(block, 'content') ?? '');
  return texts.filter((text) => typeof text === 'string').join('\n');
}

/** The number of tool results in the request that is in progress. */
export function resultsIn(body: Json): number {
  const messages = [field(body, 'messages') ?? []].flat();
  const blocks = messages.map((message) => blocksOf(message).map((block) => field(block, 'type')));
  const asked = blocks.findLastIndex((types, at) => field(messages[at], 'role') === 'user' && types.includes('text'));
  return blocks
    .slice(asked + 1)
    .flat()
    .filter((type) => type === 'tool_result').length;
}
