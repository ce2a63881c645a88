import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { ThermidorClient } from '../../client/connect';
import { describeRun } from '../../client/find-run';
import { isTransient } from '../../client/server-error';
import { defined } from '../../plan/defined';
import type { RunningWorker } from '../../worker/running-worker';
import { failLostActivities } from '../embedded/fail-lost-activities';
import { peekServer, type ServerView } from '../embedded/peek-server';
import type { acquireServer, EmbeddedServer } from '../embedded/server';
import { workerLease } from '../serving/worker-lease-note';
import { folderGone } from './folder-gone';
import type { SessionOptions } from './session-options';
import { shutDown } from './shut-down';
import { startOwnWorker } from './start-own-worker';
import { fileLog } from './worker-log';

const WATCH_MS = 1_000;
const TAKE_OVER_LIMIT_MS = 30_000;
const OPEN_PATIENCE_MS = 30_000;
const OPEN_PAUSE_MS = 500;
/** The grace of steps in flight: how long they really get is decided when this process leaves. */
const GRACE_MS = 24 * 60 * 60 * 1000;

type Acquire = typeof acquireServer;

/**
 * Keeps runs served while a session on the embedded server is open.
 *
 * Invariants: 1. only a process that works, or is about to, holds a worker's lease; one that only ends what it has in progress makes way
 * for the next, and its lease says what must be given back if it is killed; 2. activities of killed workers are given back before this
 * process's worker begins; 3. a lease is held at every moment, so that the server is not stopped between two of them; 4. a server that goes
 * away while the session opens ends nothing before the patience is over.
 */
export class Service {
  private worker: RunningWorker | undefined;
  private lease: EmbeddedServer | undefined;
  /** The lease under which this process works. */
  private working: EmbeddedServer | undefined;
  /**
   * A worker's lease, held until the work in progress of its lost workers is given back: no other process would do it, so it is repeated
   * until it works.
   */
  private heir: EmbeddedServer | undefined;
  private timer: NodeJS.Timeout | undefined;
  private busy: Promise<void> = Promise.resolve();
  private stopped = false;
  private toldGone = false;

  constructor(
    private readonly options: SessionOptions,
    private readonly client: ThermidorClient,
    private readonly acquire: Acquire,
  ) {}

  get serving(): boolean {
    return this.worker !== undefined;
  }

  async begin(first: EmbeddedServer): Promise<void> {
    const { need } = this.options;
    if (need === 'server') return;
    if (need === 'worker') await this.patiently(() => this.takeOver(first));
    if (this.options.alwaysWork || !first.workerElsewhere) await this.patiently(() => this.work(first));
    else if (need === 'worker') await this.giveWay(first);
    if (need === 'answers') return;
    this.timer = setInterval(() => {
      this.busy = this.busy.then(() => this.look()).catch((error: unknown) => this.note(error));
    }, WATCH_MS);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.busy;
    if (this.worker) await this.leave(this.worker).catch((error: unknown) => this.note(error));
    this.worker = undefined;
    await this.heir?.release();
    this.heir = undefined;
    await this.lease?.release();
    this.lease = undefined;
  }

  private async leave(worker: RunningWorker): Promise<void> {
    const { alwaysWork, finish } = this.options;
    if (alwaysWork) return worker.shutdown();
    const { working } = this;
    const noted = (error: unknown): void => this.note(error);
    await shutDown(worker, finish, {
      runs: () => this.goingOn(worker.inHand()),
      // If no worker can take over, new work waits a little longer.
      makePlace: async () => (working === undefined || this.isGone() ? undefined : this.giveWay(working, [working.identity]).catch(noted)),
    });
  }

  /** The runs that are not over: nobody needs the work in progress of the others, nor, if the server is gone, of any. */
  private async goingOn(runs: readonly string[]): Promise<string[]> {
    const asked = runs.map(async (run) => {
      const found = await describeRun(this.client, run);
      return found !== undefined && found.endedAt === undefined ? [run] : [];
    });
    return await Promise.all(asked).then(
      (found) => found.flat(),
      () => [],
    );
  }

  /** Another process works: this one keeps the server up and does not announce itself as a worker. */
  private async giveWay(mine: EmbeddedServer, stillHas: readonly string[] = []): Promise<void> {
    this.lease = await this.acquire({ stateDir: this.stateDir, role: 'look', stillHas });
    await mine.release();
  }

  private async look(): Promise<void> {
    if (this.stopped) return;
    if (this.isGone()) return this.noteGone();
    const leases = await this.keepUp();
    if (this.worker !== undefined)
      return this.heir === undefined && leases.every(({ alive }) => alive) ? undefined : this.takeOverMeanwhile();
    // A worker that broke off is brought back under the lease it had.
    if (this.working !== undefined) return this.work(this.working);
    if (this.heir === undefined && leases.some((lease) => lease.alive && lease.role === 'worker')) return;
    await this.takePlace();
  }

  /** Starts the server again if it is gone. A lease of this process's own keeps it up afterwards. */
  private async keepUp(): Promise<ServerView['leases']> {
    const { running, leases } = await peekServer(this.stateDir);
    if (!running && !this.isGone()) await (await this.acquire({ stateDir: this.stateDir, role: 'look' })).release();
    return leases;
  }

  /** The server may go away while a session opens: it is brought back, and the failed part is repeated. */
  private async patiently(work: () => Promise<void>): Promise<void> {
    for (const until = Date.now() + OPEN_PATIENCE_MS; ; await wait(OPEN_PAUSE_MS)) {
      try {
        return await work();
      } catch (error) {
        this.note(error);
        if (!isTransient(error) || Date.now() > until) throw error;
        this.options.progress(`${error.message}; trying again`);
        await this.keepUp().catch((why: unknown) => this.note(why));
      }
    }
  }

  /** This process begins to work in place of one that is gone. */
  private async takePlace(): Promise<void> {
    const mine = this.heir ?? (await this.inherit());
    await this.takeOver(mine);
    if (mine.workerElsewhere) await this.giveWay(mine);
    else await this.work(mine);
    this.heir = undefined;
  }

  private async inherit(): Promise<EmbeddedServer> {
    const mine = await this.acquire({ stateDir: this.stateDir, ...(await workerLease(this.options.configuration)) });
    const before = this.lease;
    this.lease = mine;
    this.heir = mine;
    await before?.release();
    return mine;
  }

  /** A process that made way for this one was killed before its work in progress had ended. */
  private async takeOverMeanwhile(): Promise<void> {
    this.heir ??= await this.acquire({ stateDir: this.stateDir, role: 'worker' });
    await this.takeOver(this.heir);
    await this.heir.release();
    this.heir = undefined;
  }

  private async takeOver(lease: EmbeddedServer): Promise<void> {
    if (lease.lostWorkers.length === 0) return;
    const { connection, namespace, taskQueue } = this.client;
    const { identity, lostWorkers } = lease;
    await this.client.call(() => failLostActivities({ connection, namespace, taskQueue, lostWorkers, identity }), TAKE_OVER_LIMIT_MS);
  }

  private async work(lease: EmbeddedServer): Promise<void> {
    const file = fileLog(this.stateDir, lease.identity);
    this.working = lease;
    const worker = await startOwnWorker({
      configuration: this.options.configuration,
      address: lease.address,
      namespace: this.client.namespace,
      identity: lease.identity,
      mode: this.options.need === 'worker' ? 'full' : 'queries',
      log: (level, message, fields) => {
        file(level, message, fields);
        this.options.log?.(level, message, fields);
      },
      pipelineDirs: this.options.pipelineDirs ?? [],
      ...defined({
        metrics: this.options.metrics,
        sdkMetrics: this.options.sdkMetrics,
        onHealth: this.options.onHealth,
        queues: this.options.queues,
        maxConcurrentAgents: this.options.maxConcurrentAgents,
        shutdownGraceMs: this.options.alwaysWork ? undefined : GRACE_MS,
      }),
    });
    this.worker = worker;
    worker.finished.catch((error: unknown) => {
      if (this.worker === worker) this.worker = undefined;
      this.note(error);
    });
  }

  /**
   * Records that the folder is gone. The server has its database open, and everything it writes is lost: a new folder would know of no run.
   */
  private noteGone(): void {
    if (this.toldGone) return;
    this.toldGone = true;
    this.options.log?.('error', folderGone(this.stateDir).message);
  }

  private isGone(): boolean {
    return !existsSync(this.stateDir);
  }

  private note(error: unknown): void {
    if (this.isGone()) return;
    fileLog(this.stateDir, `process-${process.pid}`)('warn', 'the embedded server or worker could not be kept running', {
      error: error instanceof Error ? error.message : String(error),
    });
  }

  private get stateDir(): string {
    return this.options.configuration.stateDir.value;
  }
}
