import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PostgresServer } from '../../bench/store/postgres-server';
import { checkStore } from '../../cli/checks/store';
import { type Invocation, Options } from '../../cli/command';
import { migrate } from '../../cli/commands/store';
import { EXIT } from '../../cli/exit';
import { loadConfiguration } from '../../cli/settings/configuration';
import { SCHEMA_VERSION } from '../../records/postgres/schema-version';
import { describeOnPostgres } from '../support/on-postgres';
import { scratchFolder } from '../support/scratch-folder';
import { fakeTerminal } from './fake-terminal';

const PASSWORD = 'not-for-eyes';
const KEY = 'callbacks: {secret: secret://env/THERMIDOR_TEST_KEY}';

describeOnPostgres('a store that is a database', () => {
  let server: PostgresServer;
  let cwd = '';
  beforeAll(async () => {
    server = await PostgresServer.start({ settings: ['fsync=off'] });
    process.env['THERMIDOR_TEST_KEY'] = 'k'.repeat(32);
  });
  afterAll(async () => {
    delete process.env['THERMIDOR_TEST_KEY'];
    await server.stop();
  });
  beforeEach(() => {
    cwd = scratchFolder();
  });

  function folder(schema: string, ...more: string[]): void {
    const { url } = server.place(schema, { who: `postgres:${PASSWORD}` });
    writeFileSync(join(cwd, 'thermidor.yaml'), [`store: ${url}`, `store_schema: ${schema}`, ...more].join('\n'));
  }

  async function migrated(options: Record<string, unknown> = {}) {
    const terminal = fakeTerminal({ cwd, env: {} });
    const invocation: Invocation = { args: [], options: new Options(options), terminal, catalogue: { commands: [], nouns: {} } };
    const exit = await migrate(invocation);
    return { exit, out: terminal.written.out };
  }

  async function checked() {
    const configuration = loadConfiguration(new Options({}), { cwd, env: {}, home: cwd, platform: 'linux' });
    return (await checkStore(configuration, join(cwd, '.thermidor'))).map(({ state, says }) => `${state}: ${says}`);
  }

  it('gets its tables from `store migrate`, which says what it did', async () => {
    folder('first', KEY);
    const store = `postgres://127.0.0.1:${server.port}/postgres (schema first)`;
    const { exit, out } = await migrated();
    expect([exit, out]).toEqual([EXIT.done, expect.stringContaining(`✓ applied 001-ports.sql to ${store}\n`)]);
    expect((await migrated()).out).toBe(`nothing to do: ${store} has tables of version ${SCHEMA_VERSION}\n`);
    expect(JSON.parse((await migrated({ json: true })).out)).toEqual({ store, version: SCHEMA_VERSION, applied: [] });
  });

  it('is looked at by doctor, which names its versions, and a password in the file', async () => {
    folder('looked_at', KEY);
    await migrated();
    expect(await checked()).toEqual([
      expect.stringMatching(/^ok: postgres:.*: PostgreSQL \d+\S*, tables of version \d+, \d+\.\d ms a statement$/),
      'warning: thermidor.yaml has the password of the store',
    ]);
  });

  it('is one of a fleet if the server is: then doctor names what hosts do not share', async () => {
    folder('shared', KEY, 'address: temporal.example.org:7233');
    await migrated();
    expect(await checked()).toContainEqual(expect.stringMatching(/^warning: team memory/));
  });

  it('without tables or a key is not well', async () => {
    folder('empty');
    expect(await checked()).toEqual([
      expect.stringMatching(/^failed: .*has no tables; run `thermidor store migrate`$/),
      expect.stringMatching(/^failed: thermidor\.yaml:1:1: .*callbacks\.secret/),
      expect.stringMatching(/^warning: .*password/),
    ]);
  });
});
