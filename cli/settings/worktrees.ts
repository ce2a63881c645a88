import { defined } from '../../plan/defined';
import { DEFAULT_PORTS, type GitAccess, type PortRange, type WorktreeSettings } from '../../worker/worktrees/worktree-settings';
import { type Reader, refuse, refuseKey, settingFields, text, whole } from './fields';

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

/** `worktrees: {folder, ports: {from, to, block}, keep_refs_days, silent_seconds}` */
export const worktrees: Reader<WrittenWorktrees> = (value, name, problems) => {
  const fields = settingFields(value, name, ['folder', 'ports', 'keep_refs_days', 'silent_seconds'], problems);
  if (!fields) return undefined;
  const [folder, range] = [fields.take('folder', text), fields.take('ports', ports)];
  const keepRefsDays = fields.take('keep_refs_days', whole(0, MOST_DAYS));
  const silentSeconds = fields.take('silent_seconds', whole(LEAST_SILENCE, MOST_SILENCE));
  const silentMs = silentSeconds === undefined ? undefined : silentSeconds * 1000;
  return defined({ folder, ports: range, keepRefsDays, silentMs });
};

const ports: Reader<PortRange> = (value, name, problems) => {
  const before = problems.length;
  const fields = settingFields(value, name, ['from', 'to', 'block'], problems);
  if (!fields) return undefined;
  const port = whole(LEAST_PORT, MOST_PORT);
  const [from, to, block] = [fields.take('from', port), fields.take('to', port), fields.take('block', whole(1, MOST_BLOCK))];
  if (problems.length > before) return undefined;
  const range = { ...DEFAULT_PORTS, ...defined({ from, to, block }) };
  const count = range.to - range.from + 1;
  if (count >= range.block) return range;
  const says = count < 1 ? `"${name}" ends before it begins` : `"${name}" has ${count} ports, fewer than a block of ${range.block}`;
  refuseKey(problems, name, `${says}: ${range.from} to ${range.to}`, 'each worktree takes a block of ports; choose a wider range');
  return undefined;
};

/** `git: {config, ssh}`; `config` may be relative to the file. */
export const git: Reader<GitAccess> = (value, name, problems) => {
  const fields = settingFields(value, name, ['config', 'ssh'], problems);
  if (!fields) return undefined;
  const [configFile, sshCommand] = [fields.take('config', text), fields.take('ssh', oneLine)];
  return defined({ configFile, sshCommand });
};

const oneLine: Reader<string> = (value, name, problems) => {
  const read = text(value, name, problems);
  if (read === undefined || !/[\n\0]/.test(read)) return read;
  refuse(problems, name, `"${name}" must be one line, such as "ssh -i /run/secrets/key -o BatchMode=yes"`);
  return undefined;
};
