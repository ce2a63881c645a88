import type { ChatTexts } from './chats';

/**
 * Somebody who decides, as `people:` in `thermidor.yaml` describes them, with the user ids that chats prove. All but the name may be left
 * out.
 */
export interface PersonSpec extends ChatTexts {
  email?: string;
  /** `secret://…`: the token with which the person signs at the command line and at links. */
  token?: string;
  /** Who may decide in the person's place. */
  delegates?: string[];
}

/** The known people. A group means its members. */
export interface Directory {
  people: Readonly<Record<string, PersonSpec>>;
  groups: Readonly<Record<string, readonly string[]>>;
}

export const NOBODY: Directory = { people: {}, groups: {} };

/** Whether anybody is known by name; if nobody is, every name is accepted. */
export function hasPeople({ people, groups }: Directory): boolean {
  return Object.keys(people).length > 0 || Object.keys(groups).length > 0;
}
