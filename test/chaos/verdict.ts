import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalEntry } from '../../plan/run/journal';
import { journal } from '../durability/support/runs';
import { readJson } from '../durability/support/scratch';
import type { Fleet } from './fleet';

/** What is wrong with runs that have ended, a line each. */
export async function faultsOfRuns(fleet: Fleet, runs: Readonly<Record<string, string>>, mayRepeat: boolean): Promise<string[]> {
  const lines = fleet.scratch.lines('effects');
  const landed = new Set(execFileSync('git', ['-C', fleet.origin, 'ls-tree', '--name-only', 'main'], { encoding: 'utf8' }).split('\n'));
  const found: string[] = [];
  for (const [run, name] of Object.entries(runs)) {
    const sort = fleet.sorts[name];
    if (!sort) throw new Error(`there is no sort "${name}"`);
    const own = await journal(fleet.scratch, run);
    const children = await Promise.all((sort.children ?? []).map((path) => journalOfChild(fleet, `${run}.${path}`)));
    const entries = [...own, ...children.flat()];
    const words = lines.flatMap((line) => (line.startsWith(`${run} `) ? [line.slice(run.length + 1)] : []));
    const { effects, ofAgents = {}, cutShort = {}, lands = [] } = sort;
    const all = { ...effects, ...ofAgents, ...cutShort };
    const say = (fault: string): void => void found.push(`${run} (${name}): ${fault}`);
    for (const word of words) if (!(word in all)) say(`"${word}" must not happen`);
    for (const [word, step] of Object.entries(all)) {
      const times = words.filter((one) => one === word).length;
      const { lost, returned } = repetitions(entries, step);
      const least = word in cutShort || (word in ofAgents && lost > 0) ? 0 : 1;
      const most = 1 + returned + (word in ofAgents && lands.length === 0 ? 0 : lost);
      if (times < least || times > most) say(`"${word}" happened ${times} times, not ${least} to ${most}:\n${story(entries, step)}`);
    }
    for (const name of lands) if (!landed.has(`${run}-${name}.txt`)) say(`${name} is not in main`);
    if (!mayRepeat) for (const entry of entries) if (isLoss(entry)) say(JSON.stringify(entry));
    const decisions = own.filter(({ kind }) => kind === 'decision').length;
    const isRight = sort.mayAsk && mayRepeat ? decisions >= sort.decisions : decisions === sort.decisions;
    if (!isRight) say(`${decisions} decisions, not ${sort.decisions}`);
  }
  return found;
}

/** None if its parent never came to start it. */
async function journalOfChild(fleet: Fleet, run: string): Promise<JournalEntry[]> {
  const words = ['journal', run, '--json'];
  const asked = await fleet.scratch.ask(...words);
  if (asked.code === 0) return readJson<{ entries: JournalEntry[] }>(asked, words).entries;
  const { error } = readJson<{ error: { code: string } }>(asked, words);
  return error.code === 'run.not-found' ? [] : journal(fleet.scratch, run);
}

/** Characters of a journal. */
const STORY = 3000;

const of = (entries: readonly JournalEntry[], step: string): JournalEntry[] =>
  entries.filter((entry) => 'step' in entry && entry.step?.startsWith(step));

function story(entries: readonly JournalEntry[], step: string): string {
  return of(entries, step)
    .map((entry) => JSON.stringify(entry))
    .join('\n')
    .slice(-STORY);
}

const isLoss = (entry: JournalEntry): boolean => 'reason' in entry && entry.reason?.includes('begun again') === true;

/** How often the journal says that the work of a step was lost with its worker, and that it came back to a member of a team. */
function repetitions(entries: readonly JournalEntry[], step: string): { lost: number; returned: number } {
  const some = of(entries, step);
  return { lost: some.filter(isLoss).length, returned: some.filter((entry) => 'event' in entry && entry.event === 'returned').length };
}

/** What runs left behind, a line each. Workers have ended. */
export async function leftBehind(fleet: Fleet): Promise<string[]> {
  const rows = (await fleet.rowsLeft()).map((row) => `a row: ${row}`);
  const below = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []);
  const files = fleet.hosts.flatMap(({ disk: { trees, temporary } }) => [
    ...below(join(trees, 'trees')),
    ...below(join(trees, 'records')),
    ...below(temporary),
  ]);
  const locks = execFileSync('find', [fleet.scratch.folder, '-name', '*.lock', '-o', '-name', '*.tmp'], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
  return [...rows, ...files.map((path) => `a file: ${path}`), ...locks.map((path) => `a lock: ${path}`), ...processesIn(fleet)];
}

/** Processes that work in a folder of the fleet's hosts. */
function processesIn(fleet: Fleet): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const cwd = readlinkSync(`/proc/${pid}/cwd`);
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      const isOurs =
        fleet.hosts.some(({ disk }) => Object.values(disk).some((folder) => cwd.startsWith(folder))) || line.includes(fleet.effects);
      return isOurs ? [`a process: ${pid} ${line} in ${cwd}`] : [];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}

/** Each value that `main` ever had, on which its test fails. */
export function redCommits({ origin }: Fleet): string[] {
  const git = (...words: string[]): string => execFileSync('git', ['-C', origin, ...words], { encoding: 'utf8' });
  const all = git('reflog', 'show', '--format=%H', 'main').split('\n').filter(Boolean);
  return all.filter((commit) => {
    try {
      git('grep', '--quiet', 'bad', commit, '--', '*.txt');
      return true;
    } catch (error) {
      if ((error as { status?: number }).status === 1) return false;
      throw error;
    }
  });
}
