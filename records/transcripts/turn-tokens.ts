import type { Turn } from './turn';

/**
 * How many tokens a text has at most. Pure.
 *
 * A token of text is at least one byte of its UTF-8. A constant covers what a service adds around a message.
 */

/** Tokens around one message, call or result. */
export const MESSAGE_TOKENS = 32;

export function textTokens(text: string): number {
  return Buffer.byteLength(text);
}

export function jsonTokens(value: unknown): number {
  return textTokens(JSON.stringify(value) ?? '');
}

export function turnTokens({ text, calls = [], message }: Pick<Turn, 'text' | 'calls' | 'message'>): number {
  const made = calls.reduce((sum, { id, tool, args }) => sum + MESSAGE_TOKENS + textTokens(id) + textTokens(tool) + jsonTokens(args), 0);
  return MESSAGE_TOKENS + textTokens(text) + made + (message === undefined ? 0 : jsonTokens(message));
}

/** The tokens that a reply to a context reads, and those in these turns. */
export function contextTokens(system: string, turns: readonly Turn[]): number {
  return turns.reduce((sum, turn) => sum + turnTokens(turn), textTokens(system));
}
