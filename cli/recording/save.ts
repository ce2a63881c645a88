import { existsSync, mkdirSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { hasEnded } from '../../client/outcome';
import { readJournal } from '../../client/read-journal';
import { readLiveRun } from '../../client/read-live-run';
import { shellWord } from '../../plan/text/shell-word';
import type { RunKey } from '../../records/ledger';
import { CommandFailure, EXIT, usage } from '../exit';
import type { Session } from '../session/session';
import { recordsOf, shownStore } from '../settings/records';
import { recordRun } from './record-run';
import { recordedScriptText } from './script-text';

export interface SavedRecording {
  run: string;
  file: string;
  /** How many replies are in it. */
  replies: number;
  /** What a script cannot express of the run. */
  left: string[];
  /** A report for people. */
  says: string;
}

const EXTENSION = /\.ya?ml$/;
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,100}$/;

export interface SaveOptions {
  /** Whether an existing file is replaced. */
  replace: boolean;
  /** What else can be done if the file exists. @default what `thermidor record` offers */
  otherwise?: string;
}

/** Checks, before anything is done, whether the path can be a script's. Fails with exit 2. */
export function checkScriptPath(path: string, { replace, otherwise = OR_FORCE }: SaveOptions): void {
  const name = basename(path).replace(EXTENSION, '');
  if (!EXTENSION.test(path) || !NAME.test(name)) {
    throw usage(`"${path}" cannot be a script`, 'name a file such as pipelines/scripts/yesterday.yaml');
  }
  if (!replace && existsSync(path)) throw usage(`${path} already exists`, otherwise);
}
const OR_FORCE = 'choose another name, or replace it with --force';

/** Writes the recording of a run; completely or not at all. Fails with `recording.unwritable`, `run.not-here`. */
export async function saveRecording(
  { client, configuration }: Pick<Session, 'client' | 'configuration'>,
  run: string,
  path: string,
  options: SaveOptions,
): Promise<SavedRecording> {
  checkScriptPath(path, options);
  const records = recordsOf(configuration);
  const { firstRunId, state } = await readLiveRun(client, run);
  const key: RunKey = { workflowId: run, run: firstRunId };
  const journal = await readJournal(client, run, records.artifacts);
  const name = basename(path).replace(EXTENSION, '');
  const { script, pipeline, left } = await recordRun(records, shownStore(configuration), key, name, journal);
  if (!hasEnded(state)) left.push(`the rest of the run, which is ${state}`);
  const about = [
    `Recorded by thermidor on ${new Date().toISOString()} from run ${run} of ${pipeline}.`,
    'Secrets are masked; delays are left out; tools that reach beyond the run are not called again.',
    ...left.map((what) => `Not included: ${what}.`),
  ];
  await write(path, recordedScriptText(script, about));
  const replies = Object.values(script.replies).reduce((sum, list) => sum + list.length, 0);
  const decisions = script.people.length;
  const lines = [`${path}: ${counted(replies, 'reply', 'replies')}, ${counted(decisions, 'decision', 'decisions')} of people`];
  for (const what of left) lines.push(`not included: ${what}`);
  const place = basename(dirname(path)) === 'scripts' ? '' : ' (after you move it to the folder `scripts` next to the pipeline)';
  lines.push(`play it: thermidor run ${shellWord(pipeline)} --script ${shellWord(name)}${place}`);
  return { run, file: path, replies, left, says: lines.map((line) => `${line}\n`).join('') };
}

function counted(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`;
}

async function write(path: string, text: string): Promise<void> {
  const beside = `${path}.${process.pid}.part`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    await writeFile(beside, text);
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(EXIT.usage, 'recording.unwritable', `${path} cannot be written: ${reason}`);
  }
}
