import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** `thermidor up` in a folder, until it is ended. */
export interface Up {
  end(): Promise<void>;
}

const READY = /^Ctrl-C stops/;

/** Fails with its output if it ends before it is ready. */
export async function startUp(program: string, folder: string, signal: AbortSignal): Promise<Up> {
  const child = spawn(process.execPath, [program, 'up'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  const stop = (): boolean => child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  const said: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  const ready = new Promise<boolean>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (READY.test(line)) resolve(true);
    });
  });
  if (!(await Promise.race([ready, ended.then(() => false)]))) throw new Error(`thermidor up ended before it was ready\n${said.join('')}`);
  return {
    async end() {
      signal.removeEventListener('abort', stop);
      stop();
      await ended;
    },
  };
}
