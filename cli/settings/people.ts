import { didYouMean } from '../../compiler/diagnostics/suggest';
import { ANYONE, PERSON_NAME } from '../../compiler/language/patterns';
import { defined } from '../../plan/defined';
import { CHAT_NAMES, type Chat } from '../../plan/people/chats';
import { type Directory, hasPeople, type PersonSpec } from '../../plan/people/people';
import type { ChannelSpec } from '../../plan/plan';
import { forChats, named, type Problems, type Reader, record, refuse, refuseKey, secret, shaped, text, texts } from './fields';

/** Words that mean everybody. A name means one person or group: a group cannot have a person's name, and nobody can have one of these. */
const EVERYBODY: readonly string[] = ['human', ANYONE];
const PERSON = record({
  ...forChats(text),
  email: shaped(/^[^\s@]+@[^\s@]+$/, 'an e-mail address'),
  token: secret,
  delegates: texts,
});

/** `people: {chairman: {email, token, delegates}}` and the ids that chats prove; nothing needs to be said of somebody. */
export const people: Reader<Record<string, PersonSpec>> = (value, name, problems) => {
  const found = PEOPLE(value, name, problems) ?? {};
  for (const [id, { delegates }] of Object.entries(found))
    checkDelegates({ id, path: `${name}.${id}.delegates` }, delegates ?? [], found, problems);
  for (const key of [...CHAT_NAMES, 'token'] as const) checkUnlike(key, name, found, problems);
  return found;
};

const PEOPLE = named((content, path, problems, id) => {
  if (!isName(id, path, problems)) return undefined;
  const { delegates, ...read }: PersonSpec = (content === null ? undefined : PERSON(content, path, problems)) ?? {};
  return { ...read, ...defined({ delegates: delegates && [...new Set(delegates)] }) };
});

/** `groups: {board: [chairman, cfo]}`. Members are people, not groups, so that no group can contain itself. */
export function groups(declared: Readonly<Record<string, PersonSpec>>): Reader<Record<string, string[]>> {
  return (value, name, problems) =>
    named((members, path, _, id) => {
      if (!isName(id, path, problems)) return undefined;
      if (Object.hasOwn(declared, id)) refuseKey(problems, path, `"${id}" is a person and a group`, 'rename one of the two');
      const listed = [...new Set(texts(members, path, problems))];
      for (const member of listed)
        if (!Object.hasOwn(declared, member)) refuseStranger(problems, { path, id, member }, value as object, declared);
      return listed;
    })(value, name, problems);
}

interface Member {
  path: string;
  id: string;
  member: string;
}

function refuseStranger(problems: Problems, { path, id, member }: Member, all: object, declared: object): void {
  if (Object.hasOwn(all, member))
    refuse(problems, path, `the group "${id}" contains the group "${member}"`, 'a group contains people: list its members');
  else {
    const hint = didYouMean(member, Object.keys(declared)) ?? 'add them there';
    refuse(problems, path, `"${member}" of the group "${id}" is not under \`people:\``, hint);
  }
}

/** Approvers of channels must be declared if anybody is. */
export function checkApprovers(
  channels: Readonly<Record<string, Pick<ChannelSpec, 'approvers'>>>,
  directory: Directory,
  problems: Problems,
): void {
  const known = new Set([...Object.keys(directory.people), ...Object.keys(directory.groups)]);
  for (const [channel, { approvers = [] }] of Object.entries(channels)) {
    for (const name of approvers) {
      if (!hasPeople(directory) || known.has(name)) continue;
      const hint = didYouMean(name, known) ?? 'add them there';
      refuse(
        problems,
        `channels.${channel}.approvers`,
        `"${name}" may decide in "${channel}", but is neither under \`people:\` nor \`groups:\``,
        hint,
      );
    }
  }
}

function checkDelegates(
  { id, path }: { id: string; path: string },
  delegates: readonly string[],
  all: Readonly<Record<string, PersonSpec>>,
  problems: Problems,
): void {
  for (const delegate of delegates) {
    if (delegate === id) refuse(problems, path, `"${id}" is a delegate of "${id}"`, 'name somebody else');
    else if (!Object.hasOwn(all, delegate)) {
      const hint = didYouMean(delegate, Object.keys(all)) ?? 'add them there';
      refuse(problems, path, `"${delegate}", a delegate of "${id}", is not under \`people:\``, hint);
    }
  }
}

/** What proves who somebody is proves one person. */
function checkUnlike(key: Chat | 'token', name: string, all: Readonly<Record<string, PersonSpec>>, problems: Problems): void {
  const owners = new Map<string, string>();
  for (const [id, spec] of Object.entries(all)) {
    const value = spec[key];
    const other = value === undefined ? undefined : owners.get(value);
    if (other !== undefined) refuse(problems, `${name}.${id}.${key}`, `"${other}" and "${id}" have the same "${key}"; they must differ`);
    if (value !== undefined) owners.set(value, id);
  }
}

function isName(id: string, at: string, problems: Problems): boolean {
  if (PERSON_NAME.test(id) && !EVERYBODY.includes(id)) return true;
  if (EVERYBODY.includes(id)) refuseKey(problems, at, `"${at}": "${id}" means anybody`, 'rename them');
  else
    refuseKey(problems, at, `"${at}": "${id}" is not a valid name`, 'begin with a letter, then letters, digits and . _ @ + -, 64 at most');
  return false;
}
