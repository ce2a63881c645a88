import { spawn } from 'node:child_process';

/** A program that ran to its end. */
export interface Ran {
  /** From its start to the end of its output. */
  wallMs: number;
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

export interface RunProgramOptions {
  cwd: string;
  signal: AbortSignal;
  env?: NodeJS.ProcessEnv;
}

/** Fails if the program cannot be started; the caller judges its exit code. */
export function runProgram(program: string, args: readonly string[], { cwd, signal, env = process.env }: RunProgramOptions): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const begunMs = performance.now();
    const child = spawn(program, args, { cwd, signal, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.once('error', reject);
    child.once('close', (exitCode) => {
      const wallMs = performance.now() - begunMs;
      resolve({ wallMs, exitCode, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() });
    });
  });
}

/** The same, but any exit code other than 0 fails. */
export async function runProgramWell(program: string, args: readonly string[], options: RunProgramOptions): Promise<Ran> {
  const ran = await runProgram(program, args, options);
  if (ran.exitCode === 0) return ran;
  throw new Error(`${[program, ...args].join(' ')} ended with ${ran.exitCode ?? 'a signal'}\n${ran.stderr || ran.stdout}`);
}
