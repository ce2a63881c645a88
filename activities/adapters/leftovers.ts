import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { errorCode } from './error-code';

/**
 * What a program has started outside of its own group: shells of agents' programs begin sessions of their own, and outlive whoever started
 * them. Each such process has what its environment began with, so a mark there finds it, whoever its parent is by now. One that was given
 * another environment is not found, nor is any where there is no `/proc`.
 */
export interface Mark {
  /** To be laid over the program's environment. */
  variables: Readonly<Record<string, string>>;
  /** Kills every process with the mark, and what they start meanwhile. Never rejects. */
  killAll(): Promise<void>;
}

const NAME = 'THERMIDOR_PROCESS_MARK';
/** A process may start another between two looks. */
const LOOKS = 5;

export function newMark(): Mark {
  const mark = randomUUID();
  return {
    variables: { [NAME]: mark },
    async killAll() {
      for (let look = 0; look < LOOKS; look++) {
        const found = await marked(`${NAME}=${mark}`);
        if (found.length === 0) return;
        for (const pid of found) kill(pid);
      }
    },
  };
}

async function marked(entry: string): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const has = await Promise.all(pids.map(async (pid) => (await environmentOf(pid)).includes(entry)));
  return pids.filter((pid, at) => has[at] && pid !== process.pid);
}

/** Of another user's process, and of one that is gone, nothing is known. */
async function environmentOf(pid: number): Promise<readonly string[]> {
  return await readFile(`/proc/${pid}/environ`, 'utf8').then(
    (text) => text.split('\0'),
    () => [],
  );
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!['ESRCH', 'EPERM'].includes(errorCode(error) ?? '')) throw error;
  }
}
