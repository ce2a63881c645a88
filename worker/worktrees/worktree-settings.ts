import { homedir } from 'node:os';
import { join } from 'node:path';

/** Of the worktrees of a host: where they lie, and what of the host they get. */
export interface WorktreeSettings {
  /** Absolute; in no checkout, and below no folder with a `node_modules` (folder-problem.ts). */
  folder: string;
  /** @default DEFAULT_PORTS */
  ports?: PortRange;
  /** How long a host may be silent before another one may take its worktrees over. @default 30000 */
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

/** How git reaches repositories and remotes, beside what the environment has. */
export interface GitAccess {
  /** A git configuration in the place of the user's own. Absolute. */
  configFile?: string;
  /** As `GIT_SSH_COMMAND` takes it. */
  sshCommand?: string;
}

/** As given, or with the folder of the worker's user. */
export function settingsOrDefault(given: WorktreeSettings | undefined): WorktreeSettings {
  return given ?? { folder: defaultWorktreesFolder(process.env, homedir()) };
}

/** Where the worktrees of this user's workers lie if nobody says otherwise. */
export function defaultWorktreesFolder(env: Readonly<Record<string, string | undefined>>, home: string): string {
  const given = env['XDG_STATE_HOME'];
  // As the XDG specification has it, a relative path does not count.
  const state = given?.startsWith('/') ? given : join(home, '.local', 'state');
  return join(state, 'thermidor', 'worktrees');
}
