import type { Chat } from '../../channels/chats';
import { type Directory, hasPeople } from '../../plan/people/people';
import { CallbackRefused } from './refusal';

/** The person of the directory who has a chat's user id. Throws `CallbackRefused` 403 where nobody has: a name in the chat proves nothing. */
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
