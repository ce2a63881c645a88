import { isTeamFile, TEAM_KEYS, TEAM_TELLS } from '../../compiler/language/team-file';
import { madeNode } from '../../compiler/read/made-node';
import { type Entry, entryOf, type MappingNode } from '../../compiler/read/node';

/** The id of a team's step. */
const TEAM_STEP = 'team';

/** A team file is a pipeline of one board step, whose keys it has, and which goes on until somebody stops it. */
export function withTeam(root: MappingNode): MappingNode {
  const [keyAt] = TEAM_TELLS.flatMap((key) => entryOf(root, key)?.keyAt ?? []);
  if (!keyAt || !isTeamFile(root.entries.map(({ key }) => key))) return root;
  const made = (key: string, value: Parameters<typeof madeNode>[0]): Entry => ({ key, keyAt, value: madeNode(value, keyAt) });
  const name = entryOf(root, 'name');
  const own = root.entries.filter(({ key }) => TEAM_KEYS.includes(key));
  const says = [made('id', TEAM_STEP), made('type', 'board'), made('until', 'stopped'), ...(name ? [{ ...name, key: 'team' }] : [])];
  const step: MappingNode = { kind: 'mapping', at: root.at, entries: [...says, ...own] };
  const others = root.entries.filter((entry) => !own.includes(entry));
  return { ...root, entries: [...others, made('steps', [step])] };
}
