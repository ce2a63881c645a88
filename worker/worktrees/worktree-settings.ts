import { homedir } from 'node:os';
import { join } from 'node:path';

/** Settings of a host's worktrees: where they are, and what they get of the host. */
export interface WorktreeSettings {
  /** Absolute; in no checkout, and below no folder with a `node_modules` (folder-problem.ts). */
  folder: string;
  /** The name of this host, if its hostname changes; the variable `THERMIDOR_HOST` wins. @default the hostname */
  host?: string;
  /** @default DEFAULT_PORTS */
  ports?: PortRange;
  /** How long a host may be silent before another one may take over its worktrees. @default 30000 */
  silentMs?: number;
  /** How long the refs of a run are kept after its end. @default DEFAULT_KEEP_REFS_DAYS */
  keepRefsDays?: number;
}

/** Ports `from` to `to`, both included; each worktree gets `block` of them that follow each other. */
export interface PortRange {
  from: number;
  to: number;
  block: number;
}

export const DEFAULT_PORTS: PortRange = { from: 20_000, to: 29_999, block: 10 };
export const DEFAULT_KEEP_REFS_DAYS = 30;

/** How git reaches repositories and remotes, in addition to the environment. */
export interface GitAccess {
  /** A git configuration in the place of the user's own. Absolute. */
  configFile?: string;
  /** The command in the format of `GIT_SSH_COMMAND`. */
  sshCommand?: string;
}

/** The given settings, with the folder of the worker's user as default. */
export function settingsOrDefault(given: WorktreeSettings | undefined): WorktreeSettings {
  return given ?? { folder: defaultWorktreesFolder(process.env, homedir()) };
}

/** The folder of this user's worktrees if nobody says otherwise. */
export function defaultWorktreesFolder(env: Readonly<Record<string, string | undefined>>, home: string): string {
  const given = env['XDG_STATE_HOME'];
  // By the XDG specification a relative path does not count.
  const state = given?.startsWith('/') ? given : join(home, '.local', 'state');
  return join(state, 'thermidor', 'worktrees');
}
