import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PostgresServer } from '../../bench/store/postgres-server';
import { findFreePort } from '../../cli/embedded/ports';
import { findTemporalBinary } from '../../cli/embedded/temporal-binary';
import { compose, interpolated, isOneShot, mountsOf, ROOT, type Service } from '../deploy/compose-file';
import { Program } from '../durability/support/program';
import type { Finished } from '../durability/support/running';
import { until } from '../durability/support/until';
import { openFolder, plainEnvironment, portsOfServer, takesConnections, userOf } from './machine';
import { dumpingBinaries, type ServerParts, serverParts } from './parts';

const MAIN = join(ROOT, 'dist/cli/main.js');
/** What an image is asked for by its check; the check's own program is the repository's. */
const CHECK = join(ROOT, 'deploy/healthcheck.mjs');
/** They have a process of another kind here, or none. */
const NOT_STARTED = ['postgresql', 'temporal-ui'];

/** A container of the compose file, as a plain process of this machine. */
export interface Container {
  program: Program;
  /** Replaces the addresses of the compose file by those of this machine. */
  place: (text: string) => string;
  env: NodeJS.ProcessEnv;
  cwd: string;
}

/**
 * What `docker compose up` starts, as plain processes, from the environment, commands, mounts and checks that the file has. Each container
 * is a user with folders of its own if the tests run as root. Names of containers become ports of this machine; that is all that differs.
 */
export class Topology {
  private readonly containers = new Map<string, Container>();
  private readonly programs: Program[] = [];

  private constructor(
    readonly folder: string,
    readonly database: PostgresServer,
    private readonly parts: ServerParts,
    readonly cli: string,
    private readonly given: NodeJS.ProcessEnv,
    readonly port: number,
    private readonly say: (line: string) => void,
  ) {}

  /** @param pipelines a folder, mounted where the file mounts `PIPELINES` */
  static start(pipelines: string, say: (line: string) => void): Promise<Topology> {
    return Topology.with(Object.keys(compose.services), say, pipelines);
  }

  /** The Temporal server with its database and its namespace. */
  static serverAlone(say: (line: string) => void): Promise<Topology> {
    return Topology.with(['prepare-namespace'], say);
  }

  private static async with(names: readonly string[], say: (line: string) => void, pipelines = ''): Promise<Topology> {
    const folder = mkdtempSync(join(openFolder(), 'thermidor-topology-'));
    chmodSync(folder, 0o755);
    const rules = ['host all postgres 127.0.0.1/32 trust', 'host all all 127.0.0.1/32 scram-sha-256'];
    const hba = join(folder, 'hba');
    writeFileSync(hba, `${rules.join('\n')}\n`);
    const parts = serverParts(say);
    const { path: cli } = await findTemporalBinary();
    const settings = (compose.services['postgresql']?.command ?? []).filter((word) => word.includes('='));
    const database = await PostgresServer.start({ settings: [`hba_file=${hba}`, ...settings], binaries: dumpingBinaries });
    const secret = (): string => randomBytes(32).toString('hex');
    const given = { POSTGRES_PASSWORD: secret(), STORE_PASSWORD: secret(), THERMIDOR_KEY: secret(), PIPELINES: pipelines };
    const topology = new Topology(folder, database, parts, cli, given, await portsOfServer(), say);
    try {
      await topology.startAll(names);
    } catch (error) {
      await topology.close();
      throw error;
    }
    return topology;
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  async close(): Promise<void> {
    await Promise.all(this.programs.map((one) => one.destroy()));
    await this.database.stop();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }

  container(name: string): Container {
    const found = this.containers.get(name);
    if (!found) throw new Error(`${name} was never started`);
    return found;
  }

  /** `docker compose exec NAME thermidor …`. */
  async exec(name: string, ...args: string[]): Promise<Finished> {
    const { env, cwd } = this.container(name);
    return await this.launch(process.execPath, [MAIN, ...args], { cwd, env, ...userOf(name) }).finished;
  }

  /** The plain `temporal` command line. */
  async temporal(...args: string[]): Promise<Finished> {
    const env = { ...plainEnvironment(this.folder), TEMPORAL_ADDRESS: this.address, TEMPORAL_NAMESPACE: 'default' };
    return await this.launch(this.cli, args, { cwd: this.folder, env }).finished;
  }

  /** Kills a container's process. `restart: unless-stopped` starts it again, as often as it ends. */
  async killAndRestart(name: string, awayMs = 0): Promise<void> {
    await this.container(name).program.kill();
    await pause(awayMs);
    const service = compose.services[name];
    await until(`${name} is up again`, async () => {
      if (this.container(name).program.ended && service) this.containers.set(name, await this.run(name, service));
      return await this.isHealthy(name);
    });
  }

  /** `docker compose stop NAME…`. */
  async stop(...names: string[]): Promise<void> {
    for (const name of names) {
      const { program } = this.container(name);
      program.signal('SIGTERM');
      await program.finished;
    }
  }

  /** `docker compose up --detach`: what does not run, and what runs once at every start. */
  async startStopped(): Promise<void> {
    for (const name of inOrder([...this.containers.keys()])) if (this.containers.get(name)?.program.ended !== false) await this.up(name);
    for (const name of this.containers.keys()) await this.untilHealthy(name);
  }

  /** `docker compose exec -T postgresql …`, as a program of this name for a shell. @returns its environment */
  databaseShell(folder: string): NodeJS.ProcessEnv {
    const docker = join(folder, 'docker');
    const script = ['#!/bin/sh', '[ "$1 $2 $3 $4" = "compose exec -T postgresql" ] || exit 64', 'shift 4', 'exec "$@"', ''];
    writeFileSync(docker, script.join('\n'), { mode: 0o755 });
    const { POSTGRES_PASSWORD: PGPASSWORD } = this.given;
    const path = [folder, ...(dumpingBinaries === undefined ? [] : [dumpingBinaries]), process.env['PATH']].join(':');
    return { PATH: path, PGHOST: '127.0.0.1', PGPORT: String(this.database.port), ...(PGPASSWORD === undefined ? {} : { PGPASSWORD }) };
  }

  private async startAll(names: readonly string[]): Promise<void> {
    const user = `create role temporal superuser login password '${this.given['POSTGRES_PASSWORD']}'`;
    await this.database.run(user);
    for (const name of inOrder(names)) await this.up(name);
    for (const name of this.containers.keys()) await this.untilHealthy(name);
  }

  private async up(name: string): Promise<void> {
    const service = compose.services[name];
    if (!service || NOT_STARTED.includes(name)) return;
    this.say(`starting ${name}`);
    const container = await this.run(name, service);
    if (isOneShot(service)) {
      const { code, out, err } = await container.program.finished;
      if (code !== 0) throw new Error(`${name} ended with ${code}:\n${out}${err}`);
      return;
    }
    this.containers.set(name, container);
    if (name === 'temporal') await this.untilHealthy(name);
  }

  private async run(name: string, service: Service): Promise<Container> {
    const place = await this.placeOf(name);
    const environment = Object.entries(service.environment ?? {}).map(([key, value]) => [key, interpolated(place(value), this.given)]);
    const cwd = this.foldersOf(name, service);
    const env: NodeJS.ProcessEnv = { ...plainEnvironment(join(this.folder, name)), ...Object.fromEntries(environment) };
    const [command, args] = this.commandOf(name, service, env, place);
    const program = this.launch(command, args, { cwd, env, ...userOf(name) });
    return { program, place, env, cwd };
  }

  private commandOf(name: string, service: Service, env: NodeJS.ProcessEnv, place: (text: string) => string): [string, string[]] {
    if (name === 'temporal') {
      Object.assign(env, this.portsOfServer());
      return [this.parts.server, ['start']];
    }
    if (service.entrypoint) {
      const [shell = '', ...words] = service.entrypoint;
      const tools = join(this.folder, name, 'bin');
      rmSync(tools, { recursive: true, force: true });
      mkdirSync(tools, { recursive: true });
      symlinkSync(this.parts.sqlTool, join(tools, 'temporal-sql-tool'));
      symlinkSync(this.cli, join(tools, 'temporal'));
      Object.assign(env, { PATH: `${tools}:${env['PATH']}`, SCHEMAS: this.parts.schemas });
      return [shell, words.map((word) => word.replace('/deploy', join(ROOT, mountsOf(service)['/deploy'] ?? '')))];
    }
    const own = join(this.folder, name, 'lib');
    Object.assign(env, { THERMIDOR_STATE_DIR: join(own, 'state'), THERMIDOR_WORKTREES: join(own, 'worktrees') });
    const words = service.command ?? [];
    const listens = words.includes('callbacks') ? ['--callbacks-port', place('7244')] : ['--metrics-port', place('9464')];
    return [process.execPath, [MAIN, ...words, ...(words[0] === 'worker' ? listens : [])]];
  }

  /** The folder of a container, with what is mounted, and its own disk. */
  private foldersOf(name: string, service: Service): string {
    const [cwd, own] = [join(this.folder, name, 'srv'), join(this.folder, name, 'lib')];
    for (const path of [cwd, own, join(this.folder, name, 'home')]) mkdirSync(path, { recursive: true });
    for (const [target, source] of Object.entries(mountsOf(service, this.given))) {
      if (!target.startsWith('/srv/thermidor/')) continue;
      const here = join(cwd, target.slice('/srv/thermidor/'.length));
      mkdirSync(dirname(here), { recursive: true });
      cpSync(source.startsWith('/') ? source : join(ROOT, source), here, { recursive: true });
    }
    const { uid, gid } = userOf(name);
    if (uid !== undefined && gid !== undefined) for (const path of [own, join(this.folder, name, 'home')]) chownSync(path, uid, gid);
    return cwd;
  }

  /** Ports are chosen once for each container. */
  private async placeOf(name: string): Promise<(text: string) => string> {
    const known = this.containers.get(name)?.place;
    if (known) return known;
    const database = `127.0.0.1:${this.database.port}`;
    const table: Record<string, string> = {
      ...{ 'postgresql:5432': database, postgresql: '127.0.0.1', '5432': String(this.database.port) },
      ...{ 'temporal:7233': this.address, '7233': String(this.port), '0.0.0.0': '127.0.0.1' },
      ...{ '7244': String(await findFreePort()), '9464': String(await findFreePort()), '9090': String(await findFreePort()) },
      'config/dynamicconfig/thermidor.yaml': join(ROOT, 'deploy/temporal/dynamic-config.yaml'),
    };
    // The first one that fits wins, so longer ones are before their parts.
    const any = new RegExp(Object.keys(table).join('|').replaceAll('.', '\\.'), 'g');
    return (text) => text.replace(any, (one) => table[one] ?? one);
  }

  /** Its other ports, which are the container's own there. */
  private portsOfServer(): NodeJS.ProcessEnv {
    const names = ['FRONTEND_HTTP', 'FRONTEND_MEMBERSHIP', 'MATCHING_GRPC', 'MATCHING_MEMBERSHIP'];
    const more = ['HISTORY_GRPC', 'HISTORY_MEMBERSHIP', 'WORKER_GRPC', 'WORKER_MEMBERSHIP'];
    const ports = [...names, ...more].map((name, at) => [`${name}_PORT`, String(this.port + 1 + at)]);
    return { ...Object.fromEntries(ports), FRONTEND_GRPC_PORT: String(this.port), TEMPORAL_BROADCAST_ADDRESS: '127.0.0.1' };
  }

  private async untilHealthy(name: string): Promise<void> {
    const { program } = this.container(name);
    await until(`${name} is healthy`, async () => {
      if (program.ended) throw new Error(`${name} ended:\n${program.out}${program.err}`);
      return await this.isHealthy(name);
    });
  }

  /** By the check that the file has for it. */
  private async isHealthy(name: string): Promise<boolean> {
    const { place, cwd, env } = this.container(name);
    const [, check, ...args] = compose.services[name]?.healthcheck?.test ?? [];
    if (check === 'nc') return await takesConnections(Number(place(args.at(-1) ?? '')));
    const words = args.map((arg) => (arg === '/opt/thermidor/healthcheck.mjs' ? CHECK : place(arg)));
    return (await this.launch(process.execPath, words, { cwd, env }).finished).code === 0;
  }

  private launch(command: string, args: readonly string[], options: ConstructorParameters<typeof Program>[2]): Program {
    const program = new Program(command, args, options);
    this.programs.push(program);
    return program;
  }
}

/** With what they depend on, and after it. */
function inOrder(names: readonly string[]): string[] {
  const done: string[] = [];
  const visit = (name: string): void => {
    if (done.includes(name)) return;
    for (const needed of Object.keys(compose.services[name]?.depends_on ?? {})) visit(needed);
    done.push(name);
  };
  for (const name of names) visit(name);
  return done;
}
