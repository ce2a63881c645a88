import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProblemCode } from '../../../client/client-problem';
import type { JournalEntry } from '../../../plan/run/journal';
import type { RunView, StepView } from '../../../plan/run/status';
import type { Turn } from '../../../records/transcripts/turn';
import type { Running } from './running';
import { readJson, type Scratch } from './scratch';
import { until } from './until';

/** Facts about a run from outside: by commands, and from the ledger on disk. */
export const MAIN_JOB = 'pipelines/daily-quant-pipeline.yaml';

/** The run's id, which is the first word that `run` prints. */
export async function runOf(program: Running): Promise<string> {
  const line = await program.untilLine(/^[A-Za-z][\w-]*-\d{8}-[a-z0-9]{6}\b/);
  return line.split(' ')[0] ?? '';
}

/** Starts a run that somebody else works on, and gives its id. */
export async function startDetached(scratch: Scratch, ...args: string[]): Promise<string> {
  return (await scratch.json<{ run: string }>('run', ...args, '--detach')).run;
}

export function status(scratch: Scratch, run: string): Promise<RunView> {
  return answered<RunView>(scratch, 'status', run);
}

/** Asks until the run is in the expected state. No answer is not an error: on a slow machine its worker may be late. */
export function untilStatus(scratch: Scratch, run: string, what: string, fits: (view: RunView) => boolean): Promise<RunView> {
  return until(`${run}: ${what}`, async () => {
    const view = await answerOf<RunView>(scratch, 'status', run);
    return view && fits(view) && view;
  });
}

/** The output of a command with `--json`; undefined if nobody has answered it in time. */
export async function answerOf<T>(scratch: Scratch, ...args: string[]): Promise<T | undefined> {
  const asked = await scratch.ask(...args, '--json');
  if (asked.code === 0) return readJson<T>(asked, args);
  const { error } = readJson<{ error: { code: string } }>(asked, args);
  if (!NO_ANSWER.has(error.code)) throw new Error(`${args.join(' ')} ended with ${asked.code}:\n${asked.out}${asked.err}`);
  return undefined;
}

/** The answer about a run whose worker is there, but may be late. */
function answered<T>(scratch: Scratch, ...args: string[]): Promise<T> {
  return until(`an answer to ${args.join(' ')}`, () => answerOf<T>(scratch, ...args));
}

const NO_ANSWER: ReadonlySet<string> = new Set<ProblemCode>(['worker.missing', 'server.unreachable', 'run.unreadable']);

export interface ListedRun {
  run: string;
  pipeline: string;
  state: string;
}

/** Lists until the lists are right: they follow a little behind what the runs report. */
export function untilListed(
  scratch: Scratch,
  args: readonly string[],
  what: string,
  fits: (runs: ListedRun[]) => boolean,
): Promise<ListedRun[]> {
  return until(what, async () => {
    const { runs } = await scratch.json<{ runs: ListedRun[] }>('list', ...args);
    return fits(runs) && runs;
  });
}

export async function journal(scratch: Scratch, run: string): Promise<JournalEntry[]> {
  return (await answered<{ entries: JournalEntry[] }>(scratch, 'journal', run)).entries;
}

export function step(view: Pick<RunView, 'steps'>, id: string): StepView {
  const found = view.steps.find((one) => one.id === id);
  if (found === undefined) throw new Error(`the run shows no step "${id}"`);
  return found;
}

/** A request to an agent, as the ledger records it before it is made. */
export interface RequestRecord {
  address: string;
  ask: number;
  idempotencyKey: string;
}

/** Every request of a run in the ledger, including repeated ones. */
export function requests(scratch: Scratch, run: string): RequestRecord[] {
  return logs<Omit<RequestRecord, 'address'>>(scratch, run, 'requests').map(([address, line]) => ({ address, ...line }));
}

/** Recorded turns of an agent's try. After a crash the next worker continues with these. */
export function turnsOf(scratch: Scratch, run: string, address: string): Turn[] {
  return logs<{ turn?: Turn }>(scratch, run, 'transcript').flatMap(([of, { turn }]) => (of === address && turn ? [turn] : []));
}

/** Lines of every log of a kind, each with the address of its log. A line that is being written is not among them. */
function logs<T>(scratch: Scratch, run: string, kind: string): [address: string, line: T][] {
  const folder = join(scratch.stateDir, 'ledger', run);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(`%2F${kind}.jsonl`))
    .flatMap((name) => {
      const address = decodeURIComponent(name.slice(name.indexOf('/') + 1)).slice(0, -`/${kind}.jsonl`.length);
      const lines = readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1).filter(Boolean);
      return lines.map((line): [string, T] => [address, JSON.parse(line)]);
    });
}

/** How often each request was made, by `address/ask`. */
export function timesRequested(scratch: Scratch, run: string): Record<string, number> {
  const counted: Record<string, number> = {};
  for (const { address, ask } of requests(scratch, run)) counted[`${address}/${ask}`] = (counted[`${address}/${ask}`] ?? 0) + 1;
  return counted;
}

/** Waits until the request was made: the step's agent is running. */
export async function untilRequested(scratch: Scratch, run: string, address: string): Promise<void> {
  await until(`a request at ${address}`, () => requests(scratch, run).some((request) => request.address === address));
}

/** The requests of the main job to its agents if the reviewer wants one revision, each once. */
export const MAIN_JOB_REQUESTS: Readonly<Record<string, number>> = Object.fromEntries(
  ['intel#1', 'structure#1', 'bull#1', 'bear#1', 'converge#1', 'review#1', 'converge#2', 'review#2', 'data_analysis#1'].map((address) => [
    `${address}~1/1`,
    1,
  ]),
);
