import { FILE_ROWS } from './file';
import { kindRow } from './kinds';

/** The keys of a team file: those of a board step, and those of a pipeline that a team has too. */

/** The name of the team is that of the file, it ends when somebody stops it, and members without work stay until then. */
const NOT_OF_TEAM_FILES: readonly string[] = ['team', 'until', 'idle_timeout'];
export const TEAM_ROWS = kindRow('board').rows.filter(({ key }) => !NOT_OF_TEAM_FILES.includes(key));

/** A team is started and stopped by people, takes no args, and puts out its board. */
const NOT_OF_TEAMS: readonly string[] = ['steps', 'owner', 'trigger', 'args', 'finally', 'post_mortem', 'output'];
export const TEAM_FILE_ROWS = FILE_ROWS.filter(({ key }) => !NOT_OF_TEAMS.includes(key));

export const TEAM_KEYS: readonly string[] = TEAM_ROWS.map(({ key }) => key);
export const TEAM_FILE_KEYS: readonly string[] = [...TEAM_FILE_ROWS.map(({ key }) => key), ...TEAM_KEYS];

/** A file with one of these is a team, unless it is of another form. */
export const TEAM_TELLS = ['members', 'lead'] as const;

export function isTeamFile(keys: readonly string[]): boolean {
  return TEAM_TELLS.some((key) => keys.includes(key)) && !keys.includes('steps') && !keys.includes('task');
}
