import { defined } from '../../plan/defined';
import { isHostName } from '../../records/locks/host-name';
import { DEFAULT_PORTS, type GitAccess, type PortRange, type WorktreeSettings } from '../../worker/worktrees/worktree-settings';
import { fitting, type Reader, record, refuseKey, text, whole } from './fields';

/** The settings as written: the folder may be relative to the file. */
export type WrittenWorktrees = Partial<WorktreeSettings>;

const LEAST_PORT = 1024;
const MOST_PORT = 65_535;
const MOST_BLOCK = 1000;
/** A hundred years. */
const MOST_DAYS = 36_500;
/** The least silence, in seconds. Hosts give signs of life every second; a larger value delays the runs of a dead host by as much. */
const LEAST_SILENCE = 3;
const MOST_SILENCE = 3600;

const PORT = whole(LEAST_PORT, MOST_PORT);

/** `worktrees: {folder, host, ports: {from, to, block}, keep_refs_days, silent_seconds}` */
export const worktrees: Reader<WrittenWorktrees> = (value, name, problems) => {
  const read = WORKTREES(value, name, problems);
  if (!read) return undefined;
  const { keep_refs_days: keepRefsDays, silent_seconds: silent, ...places } = read;
  return { ...places, ...defined({ keepRefsDays, silentMs: silent === undefined ? undefined : silent * 1000 }) };
};

const ports: Reader<PortRange> = (value, name, problems) => {
  const before = problems.length;
  const range = { ...DEFAULT_PORTS, ...record({ from: PORT, to: PORT, block: whole(1, MOST_BLOCK) })(value, name, problems) };
  if (problems.length > before) return undefined;
  const count = range.to - range.from + 1;
  if (count >= range.block) return range;
  const says = count < 1 ? `"${name}" ends before it begins` : `"${name}" has ${count} ports, fewer than a block of ${range.block}`;
  refuseKey(problems, name, `${says}: ${range.from} to ${range.to}`, 'each worktree takes a block of ports; choose a wider range');
  return undefined;
};

const WORKTREES = record({
  folder: text,
  host: fitting(text, 'a name: letters, digits, ., _ and -, beginning with a letter or digit, at most 63', isHostName),
  ports,
  keep_refs_days: whole(0, MOST_DAYS),
  silent_seconds: whole(LEAST_SILENCE, MOST_SILENCE),
});

/** `git: {config, ssh}`; `config` may be relative to the file. */
export const git: Reader<GitAccess> = (value, name, problems) => {
  const read = GIT(value, name, problems);
  return read && defined({ configFile: read.config, sshCommand: read.ssh });
};

const GIT = record({
  config: text,
  ssh: fitting(text, 'one line, such as "ssh -i /run/secrets/key -o BatchMode=yes"', (command) => !/[\n\0]/.test(command)),
});
