import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { PostgresServer } from '../../bench/store/postgres-server';
import { acquireServer } from '../../cli/embedded/server';
import { LOST_MS } from '../../records/fleet-slots';
import { openRecords } from '../../records/open-records';
import type { PostgresPlace } from '../../records/postgres/postgres-place';
import { NODE_OPTIONS_OF_PROGRAM } from '../durability/support/command-process';
import type { ListedRun } from '../durability/support/runs';
import { readJson, Scratch } from '../durability/support/scratch';
import { until } from '../durability/support/until';
import { newRepository } from '../git/scene';
import { CutLine } from './cut-line';
import { Host, NOT_THERE } from './host';
import { effectOf, REPOSITORY_TEST, type Sort } from './sort';
import { sorts } from './sorts';

export const STORES = ['postgres', 'folder'] as const;
export type StoreKind = (typeof STORES)[number];

const SECRET = 'k'.repeat(32);
const AWAY_MS = 1000;
const LOOK_MS = 2000;
const ENDED: ReadonlySet<string> = new Set(['completed', 'rejected', 'failed', 'cancelled']);

/** The Temporal server of a fleet, and the database of its store. The fleet closes them. */
export interface Grounds {
  /** The server's, on this machine. */
  port: number;
  /** By SIGKILL. Resolves once it has been started again, on its port. */
  killServer(awayMs: number): Promise<void>;
  database?: PostgresServer;
  close(): Promise<void>;
}

interface FleetOptions {
  /** How long steps in flight may take when a worker is stopped. */
  graceS?: number;
  /** What its workers load before anything else. */
  preload?: string;
  /** Gets what happens, a line each. */
  say?(line: string): void;
  /** Where it works. Absent: an embedded server and, for that store, a database of its own. */
  grounds?: Grounds;
  /** Workers report what they hold when they get SIGUSR2, and write a snapshot of their heap when they get SIGIO. */
  isWatched?: boolean;
}

/**
 * Workers that share a Temporal server, a store and a repository, and nothing else; if the store is a folder, they share that. The effects
 * of their runs are lines of a file outside every worker's folders.
 */
export class Fleet {
  readonly hosts: Host[] = [];
  readonly sorts: Readonly<Record<string, Sort>>;
  readonly effects: string;
  /** The folder of what watched workers report. */
  readonly reports: string;
  /** A bare repository, whose `main` all runs land on. */
  readonly origin: string;

  private constructor(
    readonly scratch: Scratch,
    readonly store: StoreKind,
    private readonly grounds: Grounds,
    readonly say: (line: string) => void,
    private readonly database?: { server: PostgresServer; place: PostgresPlace },
  ) {
    this.effects = scratch.path('effects');
    this.reports = scratch.path('reports');
    mkdirSync(this.reports);
    this.origin = scratch.path('origin.git');
    const work = newRepository({ 'a.txt': 'a\n', 'test.sh': `${REPOSITORY_TEST}\n` }, scratch.path('origin'));
    execFileSync('git', ['clone', '--quiet', '--bare', work, this.origin], { stdio: 'ignore' });
    execFileSync('git', ['-C', this.origin, 'config', 'core.logAllRefUpdates', 'always']);
    this.sorts = sorts(this.effects, `file://${this.origin}`);
    for (const [name, { pipeline }] of Object.entries(this.sorts)) {
      scratch.write(`pipelines/${name}.yaml`, JSON.stringify({ name, ...pipeline }));
    }
  }

  static async start(
    store: StoreKind,
    names: readonly string[],
    { graceS = 5, preload, say = () => undefined, isWatched = false, grounds: given }: FleetOptions = {},
  ): Promise<Fleet> {
    const settings: NodeJS.ProcessEnv = { THERMIDOR_TEST_KEY: SECRET };
    const scratch = await Scratch.make(settings);
    const grounds = given ?? (await ownGrounds(scratch, store));
    settings['TEMPORAL_ADDRESS'] = `127.0.0.1:${grounds.port}`;
    const server = grounds.database;
    const database = server && { server, place: await server.store() };
    const place = database && { store: database.place.url, store_schema: database.place.schema };
    const callbacks = { secret: 'secret://env/THERMIDOR_TEST_KEY' };
    scratch.write('thermidor.yaml', JSON.stringify({ ...place, callbacks, shutdown: { grace: `${graceS}s` } }));
    const fleet = new Fleet(scratch, store, grounds, say, database);
    const own = preload === undefined ? undefined : `--require ${scratch.write('preload.cjs', preload)}`;
    const options = isWatched ? reportingTo(fleet.reports) : own;
    for (const name of names) fleet.hosts.push(await fleet.newHost(name, graceS, options === undefined ? {} : { NODE_OPTIONS: options }));
    return fleet;
  }

  get address(): string {
    return `127.0.0.1:${this.grounds.port}`;
  }

  async close(): Promise<void> {
    try {
      for (const host of this.hosts) await host.close();
      await this.scratch.close();
    } finally {
      await this.grounds.close();
    }
  }

  /** Tries it again while server or database are away. */
  async begin(run: string, sort: string): Promise<void> {
    const words = ['--id', run, '--args-json', JSON.stringify({ n: run })];
    const replies = this.sorts[sort]?.script?.(run, effectOf(run, this.effects));
    if (replies) this.scratch.write(`pipelines/scripts/${run}.yaml`, JSON.stringify(replies));
    const all = ['run', sort, ...words, ...(replies ? ['--script', run] : []), '--detach', '--json'];
    await until(`${run} has begun`, async () => {
      const asked = await this.scratch.ask(...all);
      if (asked.code === 0) return true;
      if (asked.code === NOT_THERE) return false;
      // It began, and the answer was lost.
      const { error } = readJson<{ error: { code: string } }>(asked, all);
      if (error.code === 'run.exists') return true;
      throw new Error(`${all.join(' ')} ended with ${asked.code}:\n${asked.out}${asked.err}`);
    });
  }

  /** How many of the youngest runs have not ended; 0 if nobody knows. */
  async open(): Promise<number> {
    const listed = await this.scratch.ask('list', '--json', '--limit', '50');
    if (listed.code !== 0) return 0;
    const { runs } = JSON.parse(listed.out) as { runs: ListedRun[] };
    return runs.filter(({ state }) => !ENDED.has(state)).length;
  }

  /** The states of the runs, once all have ended. */
  async untilEnded(runs: readonly string[], patienceMs: number): Promise<Record<string, string>> {
    let open: string[] = [];
    const deadline = Date.now() + patienceMs;
    while (Date.now() < deadline) {
      const listed = await this.scratch.ask('list', '--all', '--json', '--limit', '10000');
      if (listed.code === 0) {
        const { runs: all } = JSON.parse(listed.out) as { runs: ListedRun[] };
        const states = Object.fromEntries(all.map(({ run, state }) => [run, state]));
        // Children, too.
        const now = [...new Set([...runs, ...Object.keys(states)])].filter((run) => !ENDED.has(states[run] ?? ''));
        if (now.length === 0) return states;
        if (now.length !== open.length) this.say(`${now.length} open`);
        open = now;
      }
      await pause(LOOK_MS);
    }
    const why = await Promise.all(open.slice(0, 5).map(async (run) => `${run}:\n${(await this.scratch.ask('why', run)).out}`));
    throw new Error(`these have not ended: ${open.join(', ')}\n${why.join('\n')}`);
  }

  async killServer(awayMs = AWAY_MS): Promise<void> {
    await this.grounds.killServer(awayMs);
  }

  async killDatabase(awayMs = AWAY_MS): Promise<void> {
    await this.withoutDatabase(() => pause(awayMs));
  }

  async withoutDatabase(meanwhile: () => Promise<unknown>): Promise<void> {
    await this.database?.server.kill('SIGKILL');
    try {
      await meanwhile();
    } finally {
      await this.database?.server.startAgain();
    }
  }

  /** What the first column of each row has; undefined if no database answers. */
  async askDatabase(statement: (schema: string) => string): Promise<string[] | undefined> {
    if (!this.database) return undefined;
    try {
      return await this.database.server.texts(statement(this.database.place.schema));
    } catch {
      return undefined;
    }
  }

  /** Rows that ended runs must not leave, by their table. What killed workers held is freed by the sweep of any other. */
  async rowsLeft(): Promise<string[]> {
    if (!this.database) return [];
    const { server, place } = this.database;
    const of = (table: string): string => `select '${table} ' || to_jsonb(${table})::text from "${place.schema}".${table}`;
    const look = (): Promise<string[]> => server.texts(['slot', 'place_in_line'].map(of).join(' union all '));
    if ((await look()).length === 0) return [];
    await pause(LOST_MS + 1000);
    await openRecords({ stateDir: this.scratch.stateDir, postgres: place }).slots.sweep();
    return await look();
  }

  private async newHost(name: string, graceS: number, options: NodeJS.ProcessEnv): Promise<Host> {
    const line = await CutLine.to(this.grounds.port);
    const toDatabase = this.database && (await CutLine.to(this.database.server.port));
    const own = (what: string): string => this.scratch.path(`${what}-${name}`);
    const state = this.store === 'folder' ? undefined : own('state');
    const disk = { home: own('home'), trees: own('trees'), temporary: own('tmp'), ...(state !== undefined && { state }) };
    const env = {
      ...options,
      ...{ HOME: disk.home, THERMIDOR_WORKTREES: disk.trees, TMPDIR: disk.temporary, THERMIDOR_HOST: `host-${name}` },
      TEMPORAL_ADDRESS: `127.0.0.1:${line.port}`,
      ...(toDatabase && { THERMIDOR_STORE: `postgres://postgres@127.0.0.1:${toDatabase.port}/postgres` }),
    };
    const words = state === undefined ? [] : ['--state-dir', state];
    return new Host(name, {
      disk,
      graceS,
      lines: { server: line, ...(toDatabase && { database: toDatabase }) },
      start: (main, ...more) => this.scratch.start(process.execPath, [...NODE_OPTIONS_OF_PROGRAM, main, 'worker', ...words, ...more], env),
      ask: (...command) => this.scratch.askWith(env, ...command, ...words),
    });
  }
}

async function ownGrounds(scratch: Scratch, store: StoreKind): Promise<Grounds> {
  const port = Number((await scratch.keepServer()).split(':').at(-1));
  const database = store === 'postgres' ? await PostgresServer.start() : undefined;
  return {
    port,
    ...(database && { database }),
    async killServer(awayMs) {
      await scratch.killServer();
      await pause(awayMs);
      const again = await acquireServer({ stateDir: scratch.stateDir, role: 'look', port });
      // The scratch has a lease of its own.
      await again.release();
    },
    async close() {
      await database?.stop();
    },
  };
}

function reportingTo(folder: string): string {
  const report = ['--report-on-signal', '--report-signal=SIGUSR2', '--report-compact', '--report-exclude-network'];
  return ['--throw-deprecation', ...report, `--report-dir=${folder}`, '--heapsnapshot-signal=SIGIO', `--diagnostic-dir=${folder}`].join(
    ' ',
  );
}
