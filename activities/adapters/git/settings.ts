import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { STATE_FILE_MODE, STATE_FOLDER_MODE } from '../../../plan/run/state-file-modes';
import type { Repository } from '../../git-model';
import { orAbsent } from './absent';
import type { GitTools } from './git-tools';

/** Settings copied from another repository: a file that the configuration includes, and two of git's own. */
const INCLUDED = 'settings';
const INFO = ['info/exclude', 'info/attributes'] as const;
export const SETTINGS_FILES = [INCLUDED, ...INFO] as const;

/**
 * How files are read and written, merged and compared, and who commits. Nothing that leads elsewhere, such as remotes, credentials and
 * hooks. Files of LFS stay pointers: its filter would look for a remote.
 */
const COPIED =
  /^(core\.(autocrlf|eol|safecrlf|filemode|symlinks|ignorecase|precomposeunicode|protecthfs|protectntfs|bigfilethreshold|whitespace)|(filter|merge|diff|submodule|user|author|committer|i18n)\..+)$/i;
const NOT_COPIED = /^filter\.lfs\./i;
const CREDENTIALS = /:\/\/[^/\s]*@/;

/** Brings the settings of a repository to another, which is ours, as they are now. */
export type CopySettings = (source: Repository, to: Repository, signal: AbortSignal) => Promise<void>;

/** Git reads a configuration once as long as its text is the same, and names no other. */
export function settingsCopier(tools: GitTools): CopySettings {
  const read = new Map<string, { config: string; settings: string }>();
  return async (source, to, signal) => {
    const config = await orAbsent(readFile(join(source.gitDir, 'config'), 'latin1'));
    const known = read.get(source.gitDir);
    const settings = known?.config === config && known ? known.settings : await settingsOf(tools, source, signal);
    if (config !== undefined && !/include/i.test(config)) read.set(source.gitDir, { config, settings });
    else read.delete(source.gitDir);
    await writeSettings(source, to, settings);
  };
}

async function writeSettings(source: Repository, to: Repository, settings: string): Promise<void> {
  const before = await orAbsent(readFile(join(to.gitDir, INCLUDED), 'latin1'));
  // First: git ignores an included file that is not there, and reads one twice without harm.
  if (before === undefined) await appendFile(join(to.gitDir, 'config'), `[include]\n\tpath = ${INCLUDED}\n`, { mode: STATE_FILE_MODE });
  if (before !== settings) await writeFile(join(to.gitDir, INCLUDED), settings, { encoding: 'latin1', mode: STATE_FILE_MODE });
  for (const name of INFO) await copyChanged(join(source.gitDir, name), join(to.gitDir, name));
}

async function settingsOf({ read }: GitTools, { gitDir }: Repository, signal: AbortSignal): Promise<string> {
  const listing = await read({ at: { gitDir }, argv: ['config', '--null', '--list', '--local', '--includes'] }, signal);
  const entries = listing.toString('latin1').split('\0').filter(Boolean).map(parsed);
  return entries
    .filter(({ key, value }) => COPIED.test(key) && !NOT_COPIED.test(key) && !CREDENTIALS.test(value ?? ''))
    .map(rendered)
    .join('');
}

interface Entry {
  key: string;
  /** Absent: the key alone, which means true. */
  value?: string;
}

function parsed(entry: string): Entry {
  const at = entry.indexOf('\n');
  return at < 0 ? { key: entry } : { key: entry.slice(0, at), value: entry.slice(at + 1) };
}

function rendered({ key, value }: Entry): string {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
  const section = first === last ? key.slice(0, first) : `${key.slice(0, first)} ${quoted(key.slice(first + 1, last))}`;
  const name = key.slice(last + 1);
  return `[${section}]\n\t${value === undefined ? name : `${name} = ${quoted(value)}`}\n`;
}

function quoted(text: string): string {
  const escaped = text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\b', '\\b');
  return `"${escaped}"`;
}

async function copyChanged(from: string, to: string): Promise<void> {
  const [there, here] = [await orAbsent(readFile(from)), await orAbsent(readFile(to))];
  const wanted = there ?? Buffer.alloc(0);
  if (wanted.equals(here ?? Buffer.alloc(0))) return;
  await mkdir(dirname(to), { recursive: true, mode: STATE_FOLDER_MODE });
  await writeFile(to, wanted, { mode: STATE_FILE_MODE });
}
