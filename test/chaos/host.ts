import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { thisBuild } from '../durability/support/builds';
import type { Program } from '../durability/support/program';
import type { Finished } from '../durability/support/running';
import { until } from '../durability/support/until';
import type { Cut, CutLine } from './cut-line';

interface HostParts {
  /** Its worker's `shutdown.grace`. */
  graceS: number;
  /** On its own disk; `state` only if the store is no folder. */
  disk: { home: string; trees: string; temporary: string; state?: string };
  /** Its ways to the server, and to the database if there is one. */
  lines: { server: CutLine; database?: CutLine };
  /** @param main the program; @param words what its worker is started with, too */
  start(main: string, ...words: string[]): Program;
  /** A command, typed there. */
  ask(...words: string[]): Promise<Finished>;
}

const AWAY_MS = 500;
/** What a worker may take beyond its grace, and what a busy machine takes. */
const BEYOND_GRACE_S = 10 + 10;

/** `server.unreachable`, `store.unavailable`: a worker ends if what it needs is not there when it starts. */
export const NOT_THERE = 4;

/** A host of the fleet with its worker, which is started again whenever it has ended, as by a supervisor. */
export class Host {
  worker: Program;
  /** What its worker did that it must not do. */
  readonly misdeeds: string[] = [];
  /** How often its worker could not start. */
  failedStarts = 0;

  private main = thisBuild().main;
  private isEnding = false;
  private supervised: Promise<void> = Promise.resolve();

  constructor(
    readonly name: string,
    private readonly parts: HostParts,
  ) {
    this.worker = this.start();
  }

  get disk(): HostParts['disk'] {
    return this.parts.disk;
  }

  get lines(): HostParts['lines'] {
    return this.parts.lines;
  }

  /** Starts its worker, which has ended. */
  begin(...words: string[]): void {
    this.worker = this.start(...words);
  }

  /** @param meanwhile what happens to the host before its worker is started again, with these words */
  async kill(meanwhile = async () => {}, ...words: string[]): Promise<void> {
    await this.endBy((worker) => worker.kill());
    await meanwhile();
    await pause(AWAY_MS);
    this.begin(...words);
  }

  /** Its disk is lost, and a new one takes its place. @param goesOnMs how long its worker goes on without one */
  async loseDisk(goesOnMs: number): Promise<void> {
    this.removeDisk();
    await pause(goesOnMs);
    await this.kill(async () => this.removeDisk());
  }

  private removeDisk(): void {
    for (const folder of Object.values(this.parts.disk)) {
      if (!existsSync(folder)) continue;
      const away = `${folder}.gone`;
      // All of it at once.
      renameSync(folder, away);
      rmSync(away, { recursive: true, force: true, maxRetries: 10 });
    }
  }

  async stopFor(ms: number): Promise<void> {
    const { worker } = this;
    worker.signal('SIGSTOP');
    await pause(ms);
    worker.signal('SIGCONT');
  }

  /** @param main the program that it is upgraded to; absent: the same */
  async restart(main = this.main): Promise<void> {
    await this.terminate();
    this.main = main;
    this.begin();
  }

  /** Once its worker works, or the one that has been started instead, if the server was too slow for it. */
  async atWork(): Promise<void> {
    await until(`the worker of ${this.name} works`, () => hasBegun(this.worker));
  }

  /** In order, by SIGTERM. It is not started again. */
  async terminate(): Promise<void> {
    await this.endBy(async (worker) => {
      if (worker.ended) return;
      worker.signal('SIGTERM');
      const most = this.parts.graceS + BEYOND_GRACE_S;
      const ended = await Promise.race([worker.finished, pause(most * 1000, undefined, { ref: false })]);
      if (ended?.code === 0) return;
      const how = ended ? `ended with ${ended.code}` : `had not ended ${most} s`;
      this.misdeeds.push(`${this.name} ${how} after SIGTERM:\n${tail(worker)}`);
      await worker.kill();
    });
  }

  /** Removes what the janitor would remove an hour later. Fails if it cannot. */
  async prune(): Promise<void> {
    const { code, out, err } = await this.parts.ask('worktree', 'prune');
    if (code !== 0) throw new Error(`${this.name}: worktree prune ended with ${code}:\n${out}${err}`);
  }

  async cut(line: CutLine, how: Cut, ms: number): Promise<void> {
    line.cut(how);
    await pause(ms);
    line.mend();
  }

  async close(): Promise<void> {
    await this.endBy((worker) => worker.destroy());
    await this.parts.lines.server.close();
    await this.parts.lines.database?.close();
  }

  private async endBy(end: (worker: Program) => Promise<void>): Promise<void> {
    this.isEnding = true;
    await end(this.worker);
    await this.supervised;
    this.isEnding = false;
  }

  private start(...words: string[]): Program {
    for (const folder of Object.values(this.parts.disk)) mkdirSync(folder, { recursive: true });
    const worker = this.parts.start(this.main, ...words);
    this.supervised = this.supervise(worker);
    return worker;
  }

  private async supervise(worker: Program): Promise<void> {
    const { code } = await worker.finished;
    if (this.isEnding) return;
    if (code === NOT_THERE && !hasBegun(worker)) this.failedStarts += 1;
    else this.misdeeds.push(`${this.name} ended with ${code}:\n${tail(worker)}`);
    await pause(AWAY_MS);
    if (!this.isEnding) this.worker = this.start();
  }
}

const hasBegun = ({ err }: Program): boolean => /^worker .* at .*, task queue /m.test(err);

const TAIL = 1500;

function tail({ out, err }: Program): string {
  return `${out}${err}`.slice(-TAIL);
}
