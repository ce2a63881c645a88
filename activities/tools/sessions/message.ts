import { isJsonObject, type Json, type JsonObject } from '../../../plan/text/json';
import { fenced } from '../../agent/prompt/prompt';

/** A message from one agent to another: a text, or a JSON object. In an envelope it is JSON in either case (docs/protocol.md, 4.3). */
export type Message = string | JsonObject;

const MOST_CHARACTERS = 16_000;
export const MESSAGE_PARAMETER: Json = {
  type: ['string', 'object'],
  pattern: '\\S',
  minProperties: 1,
  maxLength: MOST_CHARACTERS,
  description: 'in words, or as a JSON object',
};
export const MESSAGE_FORM = `a text or a JSON object of at most ${MOST_CHARACTERS} characters`;

export function messageOf(given: Json | undefined): Message | undefined {
  if (typeof given === 'string') return given;
  return isJsonObject(given) && JSON.stringify(given).length <= MOST_CHARACTERS ? given : undefined;
}

/** The message as the agent reads it. */
export function shownMessage(message: Message): string {
  return typeof message === 'string' ? message : fenced(message);
}
