import { field, type Json } from '../../../plan/text/json';

/** Tools, then the messages, of which the system's is the first. */
export function piecesOf(body: Json): string[] {
  return [field(body, 'tools') ?? null, ...messagesOf(body)].map((piece) => JSON.stringify(piece));
}

/** The last message of the user. */
export function saidIn(body: Json): string {
  return String(field(messagesOf(body).findLast(isUsers), 'content') ?? '');
}

/** The number of tool results in the request that is in progress. */
export function resultsIn(body: Json): number {
  const messages = messagesOf(body);
  return messages.slice(messages.findLastIndex(isUsers) + 1).filter((message) => field(message, 'role') === 'tool').length;
}

function messagesOf(body: Json): readonly Json[] {
  const messages = field(body, 'messages');
  return Array.isArray(messages) ? messages : [];
}

function isUsers(message: Json): boolean {
  return field(message, 'role') === 'user';
}
