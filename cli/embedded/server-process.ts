import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { SEARCH_ATTRIBUTES } from '../../plan/run/search-attributes';
import { STATE_FILE_MODE } from '../../plan/run/state-file-modes';
import { identifyProcess, isRunning, type ProcessIdentity } from '../../records/locks/process-identity';
import { servesNamespace } from './grpc-probe';
import { groupListensAt } from './port-owner';
import { type RunningServer, serverAddress } from './server-record';
import type { ServerFiles } from './state-files';

/**
 * Starts and stops the server's process. It is detached: it outlives this process, and Ctrl-C in the terminal does not
 * reach it. Callers hold the server's lock.
 */
const START_PATIENCE_MS = 30_000;
const STOP_GRACE_MS = 5_000;
/** How long a killed process may take to disappear on a busy machine; it does nothing any more. */
const KILL_PATIENCE_MS = 30_000;
const POLL_MS = 20;
/** The wait before a server is believed if the system does not show who owns the port: one that lost it soon ends. */
const CONFIRM_MS = 60;
const LOG_LIMIT_BYTES = 8 * 1024 * 1024;
const TAIL_LINES = 12;

/**
 * Settings of the database and server: WAL, or concurrent runs are four times slower; full sync, so that an acknowledged run survives a
 * power cut; and a quick transfer queue, or each step waits for a tick of 50 ms. A workflow task keeps the usual 10 s: one that takes
 * longer on a busy machine is repeated from the start, and each time the server waits longer for it.
 */
const TUNING = [
  ...['--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=2'],
  ...['--dynamic-config-value', 'history.transferProcessorMaxPollRPS=2000'],
];

export interface LaunchedServer {
  server: RunningServer;
  /** Settles when the server answers (`undefined`) or will not: the end of its log. */
  ready: Promise<string | undefined>;
}

export function launchServer(files: ServerFiles, binary: string, port: number, uiPort: number, env: NodeJS.ProcessEnv): LaunchedServer {
  const log = openLog(files.log);
  const child = privately(() =>
    spawn(binary, serverArguments(files.database, port, uiPort), {
      cwd: files.root,
      detached: true,
      stdio: ['ignore', log.descriptor, log.descriptor],
      env: withoutTemporalSettings(env),
    }),
  );
  closeSync(log.descriptor);
  let failed: string | undefined;
  child.on('error', (error) => {
    failed = error.message;
  });
  child.unref();
  const process = child.pid === undefined ? undefined : identifyProcess(child.pid);
  const server: RunningServer = { port, uiPort, process: process ?? { pid: 0, began: '' }, binary, startedAt: new Date().toISOString() };
  const lastWords = () => failed ?? (tailOf(files.log, log.from) || 'it ended without a message');
  return { server, ready: untilReady(server, lastWords) };
}

/** Starts a process with a private umask, which it keeps: the server creates its database itself, and must not show it to others. */
function privately<T>(start: () => T): T {
  const before = process.umask(0o077);
  try {
    return start();
  } finally {
    process.umask(before);
  }
}

/** If another program took the port meanwhile, that program answers, and our server is about to end because it has no port. */
async function untilReady(server: RunningServer, lastWords: () => string): Promise<string | undefined> {
  const deadline = Date.now() + START_PATIENCE_MS;
  while (Date.now() < deadline) {
    const ours = (await servesNamespace(serverAddress(server))) && groupListensAt(server.process.pid, server.port);
    if (ours === true) return undefined;
    await pause(ours === undefined ? CONFIRM_MS : POLL_MS);
    if (!isRunning(server.process)) return lastWords();
    if (ours === undefined) return undefined;
  }
  return `no answer within ${START_PATIENCE_MS / 1000} s\n${lastWords()}`;
}

/** Ends it and returns when it is gone, and its port and its database are free; by force when it takes longer than the grace. */
export async function stopProcess(mark: ProcessIdentity, graceMs = STOP_GRACE_MS): Promise<void> {
  for (const [signal, patienceMs] of [['SIGTERM', graceMs] as const, ['SIGKILL', KILL_PATIENCE_MS] as const]) {
    if (!isRunning(mark) || !sendSignal(mark.pid, signal)) return;
    const deadline = Date.now() + patienceMs;
    while (isRunning(mark) && Date.now() < deadline) await pause(POLL_MS);
  }
}

function serverArguments(database: string, port: number, uiPort: number): string[] {
  return [
    ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--ui-port', String(uiPort)],
    ...['--db-filename', database, ...TUNING],
    ...SEARCH_ATTRIBUTES.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
    ...['--log-level', 'error'],
  ];
}

/** A Temporal client's settings are for a different server than the one started here. */
function withoutTemporalSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('TEMPORAL_')));
}

export function sendSignal(pid: number, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    // It ended between the look and the signal.
    return false;
  }
}

function openLog(path: string): { descriptor: number; from: number } {
  const size = existsSync(path) ? statSync(path).size : 0;
  if (size > LOG_LIMIT_BYTES) renameSync(path, `${path}.1`);
  return { descriptor: openSync(path, 'a', STATE_FILE_MODE), from: size > LOG_LIMIT_BYTES ? 0 : size };
}

function tailOf(path: string, from: number): string {
  return readFileSync(path).subarray(from).toString('utf8').trim().split('\n').slice(-TAIL_LINES).join('\n');
}
