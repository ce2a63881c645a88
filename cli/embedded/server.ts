import { existsSync } from 'node:fs';
import { defined } from '../../plan/defined';
import { isRunning, type ProcessIdentity } from '../../records/locks/process-identity';
import { servesNamespace } from './grpc-probe';
import { dropLease, type LeaseFile, type LeaseRole, lostWorkersOf, newIdentity, readLeases, takeLease } from './leases';
import { withServerLock } from './server-lock';
import { sendSignal, stopProcess } from './server-process';
import { type RunningServer, readServerRecord, serverAddress, writeServerRecord } from './server-record';
import { ServerUnavailable, StateUnwritable } from './server-unavailable';
import { startEmbeddedServer } from './start-server';
import { makeStateFolders, type ServerFiles, serverFiles } from './state-files';
import { findTemporalBinary } from './temporal-binary';

/**
 * One embedded Temporal server for each state directory, shared by every process that holds a lease.
 *
 * Invariants, all kept by holding the lock while leases or the server change: 1. at most one server runs on a database;
 * 2. it runs while a living process holds a lease, and the last to leave stops it; 3. a killed process counts as gone at the next change,
 * and the identity of a killed worker goes to exactly one worker; 4. a killed server comes back on its port while others hold leases,
 * because they are connected to that port.
 */
export interface AcquireOptions {
  /** Usually `.thermidor`. */
  stateDir: string;
  role: LeaseRole;
  /** Identities under which this process still has activities in progress: given back if it is killed. */
  stillHas?: readonly string[];
  /** The note that this process leaves with its lease. */
  about?: object;
  /** Accept this port only. */
  port?: number;
  /** A port to try first when a server has to be started. */
  preferredPort?: number;
  onProgress?: (line: string) => void;
  /** Called when a server has been launched and is about to come up: a chance for work that does not need it. */
  onLaunch?: () => void;
  env?: NodeJS.ProcessEnv;
}

export interface EmbeddedServer {
  /** `host:port` of the frontend. */
  address: string;
  uiUrl: string;
  /** Whether this call started it. */
  started: boolean;
  /** Whether another living process holds a worker's lease. */
  workerElsewhere: boolean;
  /** Identities of workers that died with a lease; `failLostActivities` fails their activities. Empty for the role `look`. */
  lostWorkers: string[];
  /** The identity for this process's worker. */
  identity: string;
  /** Gives the lease back; the last one out stops the server. Safe to call twice. */
  release(): Promise<void>;
}

/** A server without clients has nothing to end but itself, which takes it a second; its database is on the disk at every moment. */
const LEAVE_GRACE_MS = 50;
/** How long a server that lives may take to answer before it is ended and started again. */
const ANSWER_PATIENCE_MS = 10_000;

/**
 * Joins the server of the state directory, or starts it. If the directory accepts no lease, a process that only looks, or that finds a
 * worker at work, joins a server that answers without one. Fails with ServerUnavailable.
 */
export async function acquireServer(options: AcquireOptions): Promise<EmbeddedServer> {
  const files = serverFiles(options.stateDir);
  try {
    return await joinOrStart(files, options);
  } catch (error) {
    const joined = error instanceof StateUnwritable ? await joinUnnoted(files, options) : undefined;
    if (joined === undefined) throw error;
    return joined;
  }
}

/**
 * Joins without a lease: nothing is written, so nothing keeps the server up for this process, and it takes nothing over from dead workers.
 */
async function joinUnnoted(files: ServerFiles, { role, port }: AcquireOptions): Promise<EmbeddedServer | undefined> {
  const workerElsewhere = hasWorkerElsewhere(readLeases(files.leases).living);
  if (role === 'worker' && !workerElsewhere) return undefined;
  const server = knownToRun(files);
  if (server === undefined || (port !== undefined && port !== server.port) || !(await servesNamespace(serverAddress(server))))
    return undefined;
  return {
    ...placeOf(server),
    started: false,
    workerElsewhere,
    lostWorkers: [],
    identity: newIdentity(),
    release: () => Promise.resolve(),
  };
}

async function joinOrStart(files: ServerFiles, options: AcquireOptions): Promise<EmbeddedServer> {
  makeStateFolders(files);
  let binary: string | undefined;
  for (;;) {
    // Outside the lock, because getting a binary may take minutes.
    if (knownToRun(files) === undefined) binary ??= (await findTemporalBinary(options)).path;
    const joined = await withServerLock(files.lock, () => join(files, options, binary));
    if (joined !== undefined) return joined;
  }
}

/** Undefined if a server has to be started and no binary was looked for yet. */
async function join(files: ServerFiles, options: AcquireOptions, binary: string | undefined): Promise<EmbeddedServer | undefined> {
  const { living, dead } = readLeases(files.leases);
  let server = await answeringServer(files);
  // Nobody uses it: its last user was killed. It may have to make way for one on the wanted port.
  if (server !== undefined && living.length === 0 && options.port !== undefined && options.port !== server.port) {
    await stopProcess(server.process);
    server = undefined;
  }
  const started = server === undefined;
  if (server === undefined) {
    if (binary === undefined) return undefined;
    const wishes = wishedPorts(files, living, options.preferredPort);
    const port = options.port === undefined ? {} : { port: options.port };
    const { onLaunch } = options;
    server = await startEmbeddedServer({ files, binary, env: options.env ?? process.env, wishes, ...port, ...defined({ onLaunch }) });
  } else if (options.port !== undefined && options.port !== server.port) {
    throw runsElsewhere(options.port, server, living);
  }
  const lostWorkers = options.role === 'worker' ? lostWorkersOf(dead) : [];
  const inherited = [...lostWorkers, ...(options.stillHas ?? [])];
  const mine = await leaseOrStop(files, options, inherited, started ? server : undefined);
  atExit(files, mine);
  for (const lease of dead) if (options.role === 'worker' || lostWorkersOf([lease]).length === 0) dropLease(lease);
  return {
    ...placeOf(server),
    started,
    workerElsewhere: hasWorkerElsewhere(living),
    lostWorkers,
    identity: mine.lease.identity,
    release: () => release(files, mine, server.process),
  };
}

function placeOf(server: RunningServer): Pick<EmbeddedServer, 'address' | 'uiUrl'> {
  return { address: serverAddress(server), uiUrl: `http://127.0.0.1:${server.uiPort}` };
}

function hasWorkerElsewhere(living: readonly LeaseFile[]): boolean {
  return living.some(({ lease }) => lease.role === 'worker' && lease.process.pid !== process.pid);
}

/** Takes a lease, or stops a server on which nobody holds one. */
async function leaseOrStop(
  files: ServerFiles,
  { role, about }: Pick<AcquireOptions, 'role' | 'about'>,
  inherited: string[],
  started: RunningServer | undefined,
): Promise<LeaseFile> {
  try {
    return takeLease(files.leases, role, inherited, new Date(), about);
  } catch (error) {
    if (started !== undefined) await stopProcess(started.process);
    throw new StateUnwritable(files.root, error);
  }
}

async function release(files: ServerFiles, mine: LeaseFile, server: ProcessIdentity): Promise<void> {
  // Somebody removed the directory under a running server, and with it everything that leads to that server; another may be there by now.
  if (!givenBack.has(mine.path) && !existsSync(mine.path)) return await stopProcess(server);
  try {
    await withServerLock(files.lock, () => leave(files, mine));
  } catch (error) {
    if (!(error instanceof StateUnwritable)) throw error;
    // Nobody else can take the lock, or a lease, either.
    await leave(files, mine);
  }
}

/** Leases that this process has taken. */
const held = new Map<string, ServerFiles>();

/**
 * A process that ends without giving its lease back, such as at a second Ctrl-C, stops a server that nobody else uses. It has no time for
 * the lock: who joins at that moment starts the server again. The lease stays, because it says what was in progress.
 */
function atExit(files: ServerFiles, { path }: LeaseFile): void {
  if (held.size === 0) process.once('exit', stopUnused);
  held.set(path, files);
}

function stopUnused(): void {
  for (const [path, files] of held) {
    if (givenBack.has(path) || readLeases(files.leases).living.some(({ lease }) => lease.process.pid !== process.pid)) continue;
    const server = knownToRun(files);
    if (server !== undefined) sendSignal(server.process.pid, 'SIGTERM');
  }
}

/** Leases that this process has given up, though a read-only disk may keep their files. */
const givenBack = new Set<string>();

async function leave(files: ServerFiles, mine: LeaseFile): Promise<void> {
  givenBack.add(mine.path);
  asFarAsItCanBeWritten(() => dropLease(mine));
  if (readLeases(files.leases).living.some(({ path }) => !givenBack.has(path))) return;
  const server = knownToRun(files);
  if (server === undefined) return;
  await stopProcess(server.process, LEAVE_GRACE_MS);
  const { process: _gone, ...record } = server;
  asFarAsItCanBeWritten(() => writeServerRecord(files.server, record));
}

/**
 * Writes of a process that leaves only tidy up, so failures are ignored: a lease and a record count only as long as their processes run.
 */
function asFarAsItCanBeWritten(write: () => void): void {
  try {
    write();
  } catch {
    // This must not hide the command's own message.
  }
}

/** The server that `server.json` names, if its process runs. */
function knownToRun(files: ServerFiles): RunningServer | undefined {
  const record = readServerRecord(files.server);
  return record?.process !== undefined && isRunning(record.process) ? { ...record, process: record.process } : undefined;
}

/** The server, once it answers. A server that does not answer is ended, so that a new one can open the database. */
async function answeringServer(files: ServerFiles): Promise<RunningServer | undefined> {
  const server = knownToRun(files);
  if (server === undefined) return undefined;
  const deadline = Date.now() + ANSWER_PATIENCE_MS;
  while (isRunning(server.process) && Date.now() < deadline) if (await servesNamespace(serverAddress(server))) return server;
  await stopProcess(server.process);
  return undefined;
}

function wishedPorts(files: ServerFiles, living: readonly LeaseFile[], preferred: number | undefined): number[] {
  const last = readServerRecord(files.server)?.port;
  const order = living.length > 0 ? [last, preferred] : [preferred, last];
  return order.filter((port) => port !== undefined);
}

function runsElsewhere(port: number, server: RunningServer, living: readonly LeaseFile[]): ServerUnavailable {
  const pids = [...new Set(living.map(({ lease }) => lease.process.pid))].join(', ');
  return new ServerUnavailable(
    `the embedded server already runs on port ${server.port}, not ${port}`,
    [`port ${port}: the server of this state directory is at ${serverAddress(server)}${pids === '' ? '' : `, used by process ${pids}`}`],
    `use --port ${server.port}, or stop the process that uses it`,
  );
}
