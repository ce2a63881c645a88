import type { Chat } from '../../../plan/people/chats';
import type { Directory } from '../../../plan/people/people';

/** The people that a channel's `mention` names: the author's words, one by one, with the members of groups in place of the group. */
export interface Mentioned {
  word: string;
  /** The chat's id of each person, if the directory has one. */
  ids: string[];
}

export function mentionedIn(mention: string | undefined, { people, groups }: Directory, chat: Chat): Mentioned[] {
  const words = mention?.split(/\s+/).filter((word) => word !== '') ?? [];
  return words.map((word) => {
    const name = word.replace(/^@/, '');
    const members = Object.hasOwn(groups, name) ? (groups[name] ?? []) : [name];
    const ids = members.map((member) => (Object.hasOwn(people, member) ? people[member]?.[chat] : undefined));
    return { word, ids: ids.filter((id) => id !== undefined) };
  });
}
