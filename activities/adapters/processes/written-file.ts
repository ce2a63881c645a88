import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { errorCode } from '../../../plan/error-code';
import { ThermidorFailure } from '../../../plan/run/failure';
import type { PrintedBy } from '../../../records/step-logs';
import { textOf } from './text-of';

/** A file that a command is to write, looked at before the command begins. */
export interface FileToWrite {
  /** Undefined if the command has not written it: a file of an earlier one is not its work. */
  read(onOutput?: PrintedBy): Promise<string | undefined>;
}

export async function fileToWrite({
  cwd = '.',
  path,
  limitBytes,
}: {
  cwd?: string;
  path: string;
  limitBytes: number;
}): Promise<FileToWrite> {
  const whole = resolve(cwd, path);
  // If it cannot be read now, reading it afterwards says so.
  const before = await identityOf(whole).catch(() => undefined);
  return {
    async read(onOutput) {
      const after = await identityOf(whole);
      if (after === undefined || after.text === before?.text) return undefined;
      if (!after.isFile) throw new ThermidorFailure('command.failed', `${path} is not a file`, { path });
      if (after.sizeBytes > limitBytes)
        throw new ThermidorFailure('output.too-large', `${path} has ${after.sizeBytes} bytes; at most ${limitBytes} are read`, {
          path,
          limitBytes,
        });
      return textOf(path, await readFile(whole), onOutput);
    },
  };
}

interface Identity {
  /** A text that changes when the file is written anew, even within the same millisecond. */
  text: string;
  isFile: boolean;
  sizeBytes: number;
}

async function identityOf(path: string): Promise<Identity | undefined> {
  try {
    const found = await stat(path, { bigint: true });
    const { ino, size, mtimeNs, ctimeNs } = found;
    return { text: `${ino} ${size} ${mtimeNs} ${ctimeNs}`, isFile: found.isFile(), sizeBytes: Number(size) };
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new ThermidorFailure('command.failed', `${path} cannot be read: ${code ?? String(error)}`, { path });
  }
}
