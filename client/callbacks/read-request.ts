import type { Chat } from '../../plan/people/chats';
import type { GateLink } from '../../plan/people/notice';
import { type Directory, hasPeople } from '../../plan/people/people';
import { isJsonObject, type JsonObject } from '../../plan/text/json';
import type { Spelled } from '../../plan/text/spelled-json';
import { parseUntrustedJson, spelledUntrustedJson } from '../../plan/text/untrusted-json';
import type { CallbackContext } from './callback-context';
import { CallbackRefused } from './refusal';
import type { RequestFacts } from './refusal-record';

/** Reads what others sent, without trust: its JSON, the gate that it is for, and the person that it names. */

/** Throws `CallbackRefused` 400 if it is no JSON object. */
export function readObject(body: Buffer | string): JsonObject {
  const read = parseUntrustedJson(body.toString('utf8'));
  if (read === undefined) throw new CallbackRefused(400, 'the body is not JSON, or nested too deeply');
  if (isJsonObject(read)) return read;
  throw new CallbackRefused(400, 'the body is not a JSON object');
}

/** JSON if the text parses as such, else the text: people write answers both ways. */
export function jsonOrPlainText(text: string): Spelled {
  const value = spelledUntrustedJson(text);
  return value === undefined ? text : value;
}

/** The payload of our messages' buttons: `thermidor:<choice>:<key>`. A choice may contain a colon, a key never does. */
export interface PressedButton {
  choice: string;
  key: string;
}

export function readButton(text: unknown): PressedButton | undefined {
  if (typeof text !== 'string') return undefined;
  const [, choice, key] = /^thermidor:(.+):([A-Za-z0-9_-]+)$/s.exec(text) ?? [];
  return choice === undefined || key === undefined ? undefined : { choice, key };
}

export function buttonId({ choice, key }: PressedButton): string {
  return `thermidor:${choice}:${key}`;
}

/** The gate of a key. Throws `CallbackRefused` 404 if there is none. */
export async function gateOf({ ports }: CallbackContext, about: RequestFacts, key: string): Promise<GateLink> {
  about.key = key;
  const gate = await ports.gateFor(key);
  if (gate === undefined) throw new CallbackRefused(404, 'no such gate');
  about.gate = gate;
  return gate;
}

/** The person of the directory who has a chat's user id. Throws `CallbackRefused` 403 if nobody has: a name in the chat proves nothing. */
export function personOf({ people }: Directory, chat: Chat, userId: string): string {
  const found = Object.entries(people).find(([, person]) => person[chat] === userId);
  if (found) return found[0];
  throw new CallbackRefused(403, `nobody in thermidor.yaml has the ${chat} id ${userId.slice(0, 40)}: add it as people.NAME.${chat}`);
}

/** A given name. If people are known it must be one of them; a group is no person. Throws `CallbackRefused` 400, 403. */
export function namedPerson(directory: Directory, name: unknown): string {
  if (typeof name !== 'string' || name.trim() === '') throw new CallbackRefused(400, 'the name is missing');
  const by = name.trim();
  if (hasPeople(directory) && !Object.hasOwn(directory.people, by))
    throw new CallbackRefused(403, `"${by.slice(0, 80)}" is not in thermidor.yaml`);
  return by;
}

/** Whether anybody can prove who they are at a link. Then everybody must. */
export function someHaveTokens({ people }: Directory): boolean {
  return Object.values(people).some(({ token }) => token !== undefined);
}
