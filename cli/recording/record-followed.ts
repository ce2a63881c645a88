import { resolve } from 'node:path';
import type { Options } from '../command';
import { usage } from '../exit';
import type { Session } from '../session/session';
import type { Terminal } from '../terminal';
import { checkScriptPath, saveRecording } from './save';

/** `run --record FILE`: the run that is followed becomes a script once it has ended or rests. */

/** The recording's path, checked before anything is started. Undefined: the run is not recorded. */
export function recordingPath(options: Options, { cwd }: Terminal): string | undefined {
  const given = options.text('record');
  if (given === undefined) return undefined;
  if (options.flag('detach')) throw usage('--record needs somebody who follows the run', 'record it later: thermidor record <run> <file>');
  const path = resolve(cwd, given);
  checkScriptPath(path, NEVER_REPLACED);
  return path;
}

export async function recordFollowed(session: Session, { err }: Terminal, run: string, path: string): Promise<void> {
  const { says } = await saveRecording(session, run, path, NEVER_REPLACED);
  err(`\n${says}`);
}

/** `run` replaces no file: what would take its place is not known yet. */
const NEVER_REPLACED = {
  replace: false,
  otherwise: 'choose another name, or record the run later in place of it: thermidor record <run> <file> --force',
};
