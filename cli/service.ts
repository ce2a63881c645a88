import type { ThermidorClient } from '../client/connect';
import type { EmbeddedServer } from './embedded/server';
import type { SessionOptions } from './session-options';
import { fileLog } from './worker-log';

const WATCH_MS = 1_000;
const TAKE_OVER_LIMIT_MS = 30_000;
/** A command that a person leaves must not keep them waiting; what is in flight is handed over. */
const SHORT_GRACE_MS = 1_500;

type Acquire = typeof import('./embedded/server').acquireServer;

/**
 * Keeps runs served while a session on the embedded server is open.
 *
 * Invariants: 1. a process that works, or that is about to, holds a worker's lease, and no other does; 2. activities of workers
 * that were killed are given back before this process's worker begins; 3. a lease is held at every moment, so that the server
 * is not stopped between two of them.
 */
export class Service {
  private worker: { shutdown(): Promise<void> } | undefined;
  private lease: EmbeddedServer | undefined;
  /** The lease under which this process works. */
  private working: EmbeddedServer | undefined;
  private timer: NodeJS.Timeout | undefined;
  private busy: Promise<void> = Promise.resolve();
  private stopped = false;

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
    if (need === 'worker') await this.takeOver(first);
    if (this.options.alwaysWork || !first.workerElsewhere) await this.work(first);
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
    await this.worker?.shutdown().catch((error: unknown) => this.note(error));
    this.worker = undefined;
    await this.lease?.release();
    this.lease = undefined;
  }

  /** Another process works: this one keeps the server up and tells nobody that it works. */
  private async giveWay(first: EmbeddedServer): Promise<void> {
    this.lease = await this.acquire({ stateDir: this.stateDir, role: 'look' });
    await first.release();
  }

  private async look(): Promise<void> {
    if (this.stopped) return;
    const { peekServer } = require('./embedded/peek-server') as typeof import('./embedded/peek-server');
    const { running, leases } = await peekServer(this.stateDir);
    // A lease of this process's own keeps the server up afterwards.
    if (!running) await (await this.acquire({ stateDir: this.stateDir, role: 'look' })).release();
    if (this.worker !== undefined) return;
    // A worker that broke off is brought back under the lease it had.
    if (this.working !== undefined) return this.work(this.working);
    if (leases.some((lease) => lease.alive && lease.role === 'worker')) return;
    const mine = await this.acquire({ stateDir: this.stateDir, role: 'worker' });
    const before = this.lease;
    this.lease = mine;
    await before?.release();
    await this.takeOver(mine);
    if (mine.workerElsewhere) await this.giveWay(mine);
    else await this.work(mine);
  }

  private async takeOver(lease: EmbeddedServer): Promise<void> {
    if (lease.lostWorkers.length === 0) return;
    const { takeOver } = require('./embedded/take-over') as typeof import('./embedded/take-over');
    const { connection, namespace, taskQueue } = this.client;
    const { identity, lostWorkers } = lease;
    await this.client.call(() => takeOver({ connection, namespace, taskQueue, lostWorkers, identity }), TAKE_OVER_LIMIT_MS);
  }

  private async work(lease: EmbeddedServer): Promise<void> {
    const { bringWorker } = require('./bring-worker') as typeof import('./bring-worker');
    const file = fileLog(this.stateDir, lease.identity);
    this.working = lease;
    const worker = await bringWorker({
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
      ...(this.options.metrics === undefined ? {} : { metrics: this.options.metrics }),
      ...(this.options.queues === undefined ? {} : { queues: this.options.queues }),
      ...(this.options.maxConcurrentAgents === undefined ? {} : { maxConcurrentAgents: this.options.maxConcurrentAgents }),
      ...(this.options.alwaysWork ? {} : { shutdownGraceMs: this.options.graceMs ?? SHORT_GRACE_MS }),
    });
    this.worker = worker;
    worker.finished.catch((error: unknown) => {
      if (this.worker === worker) this.worker = undefined;
      this.note(error);
    });
  }

  private note(error: unknown): void {
    fileLog(this.stateDir, `process-${process.pid}`)('warn', 'the embedded server or worker could not be kept up', {
      error: error instanceof Error ? error.message : String(error),
    });
  }

  private get stateDir(): string {
    return this.options.configuration.stateDir.value;
  }
}
