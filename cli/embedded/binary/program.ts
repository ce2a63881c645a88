import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { beginning } from '../../../plan/text/shortened';

/** Runs other people's programs, without a shell, with a time limit. A failure is a result, not a throw. */
export type ProgramAnswer = { stdout: string; said?: undefined } | { stdout?: undefined; said: string };

export interface OtherProgramOptions {
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
  /** Ends the program early. */
  signal?: AbortSignal;
}

/** Standard output of a program that ended with 0, or else the last line it wrote to standard error. */
export function runOtherProgram(
  file: string,
  args: readonly string[],
  { env, timeoutMs, signal }: OtherProgramOptions,
): Promise<ProgramAnswer> {
  const aborting = signal === undefined ? {} : { signal };
  return new Promise((resolve) => {
    execFile(
      file,
      [...args],
      { env: { ...env, LC_ALL: 'C' }, timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: 16 * 1024 * 1024, ...aborting },
      (error, stdout, stderr) => {
        if (error === null) resolve({ stdout });
        else if (signal?.aborted) resolve({ said: String(signal.reason) });
        else if (error.killed) resolve({ said: `no end within ${Math.round(timeoutMs / 1000)} s` });
        else resolve({ said: lastLine(stderr) ?? `exit ${error.code ?? error.signal ?? 'unknown'}` });
      },
    );
  });
}

/** The path of an executable of that name on the PATH. */
export function findOnPath(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  return (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, file))
    .find(isExecutableFile);
}

/** A file that is missing, or that we may not look at, does not count. */
export function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const LINE_LIMIT = 300;

function lastLine(text: string): string | undefined {
  return beginning(text.trim().split('\n').at(-1)?.trim() ?? '', LINE_LIMIT) || undefined;
}
