import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { compose } from '../deploy/compose-file';

/** The Temporal server of the compose file's version, as programs of this machine. */
export interface ServerParts {
  server: string;
  /** `temporal-sql-tool` of the image. */
  sqlTool: string;
  /** The tables of its databases, as files. */
  schemas: string;
}

const VERSION = /:(\d+\.\d+\.\d+)$/.exec(compose.services['temporal']?.image ?? '')?.[1];
const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'thermidor', `temporal-server-${VERSION}`);

/** Builds the server by Go into the user's cache, once: that takes up to 45 minutes on two cores. */
export function serverParts(say: (line: string) => void): ServerParts {
  const [server, sql] = [join(CACHE, 'server'), join(CACHE, 'sql')];
  const env = { ...process.env, GOBIN: CACHE };
  const install = (what: string): void => {
    say(`building Temporal's ${what} ${VERSION} into ${CACHE}, once`);
    mkdirSync(CACHE, { recursive: true });
    execFileSync('go', ['install', '-ldflags=-s -w', `go.temporal.io/server/cmd/${what}@v${VERSION}`], { env, stdio: 'inherit' });
  };
  if (!existsSync(sql)) install('tools/sql');
  if (!existsSync(server)) install('server');
  const modules = execFileSync('go', ['env', 'GOMODCACHE'], { encoding: 'utf8' }).trim();
  return { server, sqlTool: sql, schemas: join(modules, `go.temporal.io/server@v${VERSION}`, 'schema/postgresql/v12') };
}

/** A PostgreSQL of this machine that has `pg_dump` as well, which dumps no server that is newer than itself. Undefined if there is none. */
export const dumpingBinaries: string | undefined = [18, 17, 16, 15, 14, 13]
  .map((version) => `/usr/lib/postgresql/${version}/bin`)
  .find((folder) => ['postgres', 'initdb', 'pg_dump', 'pg_restore'].every((program) => existsSync(join(folder, program))));

/** What is missing on this machine, with what to install; undefined if nothing is. */
export function missingParts(): string | undefined {
  const missing = [
    ['go', 'Go (https://go.dev/dl)'],
    ['psql', 'psql (Debian: postgresql-client)'],
  ].flatMap(([program = '', name = '']) => (isThere(program) ? [] : [name]));
  if (dumpingBinaries === undefined) missing.push('PostgreSQL with pg_dump (Debian: postgresql)');
  return missing.length === 0 ? undefined : `install ${missing.join(' and ')}`;
}

function isThere(program: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, program)));
}
