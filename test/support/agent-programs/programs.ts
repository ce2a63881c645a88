import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CliPreset, ProgramSpec } from '../../../plan/agents/adapter';
import { errorCode } from '../../../plan/error-code';
import type { Json } from '../../../plan/text/json';

/**
 * Stand-ins for agents' programs: real processes that speak each program's own format, play the given replies and faults, and keep sessions
 * as the real ones do. One folder for each test; several starts of the program share it.
 *
 *     const fake = agentPrograms(scratchFolder());
 *     fake.play({ replies: [{ text: 'ok' }] });
 *     const adapter = programAdapter('claude', fake.spec('claude'), secrets);
 */
export interface AgentPrograms {
  /** The setting that starts a stand-in in place of the program. Without a preset it is a template, which speaks plain text or JSON. */
  spec(preset?: CliPreset, more?: Partial<ProgramSpec>): ProgramSpec;
  /** Sets its behaviour from now on; sessions stay. */
  play(play: ProgramPlay): void;
  /** Each start of the program, oldest first. */
  asked(): readonly Start[];
  /** The number of replies that it has given and that were paid for. */
  paid(): number;
  /** Resolves once a program waits. */
  still(): Promise<void>;
  /** Lets the waiting program continue. */
  go(): Promise<void>;
  /** The ids of its processes that run. */
  running(): number[];
  /** Forgets all sessions, like another machine that never had them. */
  forget(): void;
  /** Kills all processes that still run. */
  close(): void;
}

export interface ProgramPlay {
  /**
   * The n-th reply is given if n-1 of them are in the session, or in the text with which a new session begins. A reply without calls ends a
   * request.
   */
  replies: readonly ProgramReply[];
  /** Each fault happens once, before the n-th reply unless its kind says after it. */
  faults?: readonly ProgramFault[];
  /** The cost of one start of the program, if it reports it (claude, template with JSON). */
  costUsd?: number;
  /** The answer to `--version`. */
  version?: string;
}

export interface ProgramReply {
  text?: string;
  /** The calls, by the program's own names: `Read`, `command_execution`, `read_file`, `exec`, … */
  calls?: readonly { tool: string; args: Json; result?: string; failed?: true }[];
  /** @default 10 tokens in, 5 out */
  usage?: { inputTokens?: number; outputTokens?: number; cacheRead?: number; cacheWrite?: number };
  model?: string;
  /** Each U+0000 of its text is output as a byte that is not UTF-8. */
  raw?: true;
}

export type ProgramFault = { at: number } & (
  | { kind: 'error' | 'unauthorized' | 'context' | 'refused' }
  | { kind: 'overloaded'; retryAfterMs?: number }
  /** Says nothing, or nothing more than the text, until `go`. `stalled` does so after the reply. */
  | { kind: 'silent'; text?: string }
  | { kind: 'stalled' }
  /** Its tools run until `go`: it has reported the calls and no result. */
  | { kind: 'busy' }
  /** Never says anything, and ignores SIGTERM. */
  | { kind: 'deaf' }
  /** It is killed by SIGKILL before or after the reply. */
  | { kind: 'dies' | 'dies-after' }
  | { kind: 'exits'; code?: number; message?: string }
  /** Ends with exit code 0 and without a word. */
  | { kind: 'mute' }
  /** Prints this text first. */
  | { kind: 'junk'; text: string }
  /** Prints so many bytes without a line break first. */
  | { kind: 'flood'; bytes: number }
  /** Wants a terminal. */
  | { kind: 'tty' }
  /** After the last reply it leaves a process that holds its output open, does not end, or ends with exit code 3. */
  | { kind: 'leaves-child' | 'lingers' | 'ends-badly' }
);

export interface Start {
  argv: string[];
  stdin: string;
  cwd: string;
  env: Record<string, string>;
  pid: number;
  session: string;
  resumed: boolean;
  tty: boolean;
}

export function agentPrograms(folder: string): AgentPrograms {
  const at = (name: string) => join(folder, name);
  const makeFifos = (): void => {
    if (!existsSync(at('go')) && spawnSync('mkfifo', [at('still'), at('go')]).status !== 0) throw new Error('no fifos can be made');
  };
  const lines = (name: string): string[] => (existsSync(at(name)) ? readFileSync(at(name), 'utf8').trim().split('\n').filter(Boolean) : []);
  const running = () => [...new Set(lines('pids').map(Number))].filter(isRunning);
  return {
    spec(preset, { env, ...more } = {}) {
      const command = [join(__dirname, `fake-${preset ?? 'template'}.cjs`), ...(more.output === 'json' && !preset ? ['--json'] : [])];
      return { kind: 'cli', ...(preset ? { preset } : {}), command, env: { FAKE_AGENT: folder, ...env }, ...more };
    },
    play(play) {
      // The fifos cost a process, and most tests need none.
      if (play.faults?.some(({ kind }) => STANDING_STILL.has(kind))) makeFifos();
      writeFileSync(at('play.json'), JSON.stringify(play));
    },
    asked: () => lines('asked.jsonl').map((line): Start => JSON.parse(line)),
    paid: () => lines('paid.jsonl').length,
    still: async () => void (await readFile(at('still'))),
    async go() {
      // To open the fifo for writing waits for the reader.
      const handle = await open(at('go'), 'w');
      await handle.close();
    },
    running,
    forget: () => rmSync(at('sessions'), { recursive: true, force: true }),
    close() {
      for (const pid of running()) process.kill(pid, 'SIGKILL');
    },
  };
}

const STANDING_STILL: ReadonlySet<ProgramFault['kind']> = new Set<ProgramFault['kind']>(['silent', 'stalled', 'busy', 'deaf']);

/** Whether a process runs. A zombie does not, nor does a process that has released its memory and is about to become one. */
export function isRunning(pid: number): boolean {
  if (!isThere(pid)) return false;
  const state = existsSync('/proc/self/stat')
    ? stateInProc(pid)
    : spawnSync('ps', ['-o', 'stat=', '-p', String(pid)])
        .stdout.toString()
        .trim();
  return state !== '' && !state.startsWith('Z') && !isWithoutMemory(state);
}

/** @param state as from `stateInProc`: the 21st field is the size of the memory in bytes, see proc_pid_stat(5) */
function isWithoutMemory(state: string): boolean {
  return state.split(' ')[20] === '0';
}

/** Costs no process. */
function stateInProc(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? '';
  } catch {
    return '';
  }
}

/** Whether the process exists: it may have ended, but its parent does not know. Unlike a look at its state, this needs no process. */
export function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return false;
    throw error;
  }
}
