import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Invocation, Options } from '../../cli/command';
import { migrate } from '../../cli/commands/store';
import { EXIT } from '../../cli/exit';
import { requireStore } from '../../cli/session/require-store';
import { loadConfiguration } from '../../cli/settings/configuration';
import { shownStore } from '../../cli/settings/records';
import { scratchFolder } from '../support/scratch-folder';
import { fakeTerminal } from './fake-terminal';

/** In each address; never in a message. */
const PASSWORD = 'not-for-eyes';
const ADDRESS = `postgres://ann:${PASSWORD}@db.example.org/runs`;

let cwd = '';
beforeEach(() => {
  cwd = scratchFolder();
});

function read(text: string, env: NodeJS.ProcessEnv = {}) {
  writeFileSync(join(cwd, 'thermidor.yaml'), text);
  return loadConfiguration(new Options({}), { cwd, env, home: cwd, platform: 'linux' });
}

test('records are in the state folder, unless a database is named', () => {
  expect(shownStore(read(''))).toBe(join(cwd, '.thermidor'));
  expect(shownStore(read(`store: ${ADDRESS}`))).toBe('postgres://db.example.org/runs');
  expect(shownStore(read(`store: ${ADDRESS}\nstore_schema: lab`))).toBe('postgres://db.example.org/runs (schema lab)');
  expect(shownStore(read('store: secret://env/STORE'))).toBe('secret://env/STORE');
});

test('variables win over the file', () => {
  const env = { THERMIDOR_STORE: 'postgres://other/runs', THERMIDOR_STORE_SCHEMA: 'lab' };
  const { store, storeSchema } = read(`store: ${ADDRESS}\nstore_schema: floor`, env);
  expect([store, storeSchema]).toEqual([
    { value: 'postgres://other/runs', source: 'THERMIDOR_STORE' },
    { value: 'lab', source: 'THERMIDOR_STORE_SCHEMA' },
  ]);
  expect(read('store_schema: floor', { THERMIDOR_STORE: 'postgres://other/runs' }).storeSchema.value).toBe('floor');
});

test.each<[string, string, NodeJS.ProcessEnv, RegExp]>([
  ['no address', `store: ${PASSWORD}`, {}, /^thermidor\.yaml:1:8: "store" must be an address such as postgres:/],
  ['another database', `store: mysql://a:${PASSWORD}@h/d`, {}, /^thermidor\.yaml:1:8: "store" must be/],
  ['a port that there is not', `store: postgres://a:${PASSWORD}@h:99999/d`, {}, /^thermidor\.yaml:1:8: "store" must be/],
  ['an address that cannot be decoded', `store: postgres://a:${PASSWORD}%zz@h/d`, {}, /^thermidor\.yaml:1:8: "store" must be/],
  ['a mapping', 'store: {url: x}', {}, /^thermidor\.yaml:1:1: "store" must be/],
  ['a schema with a capital', `store: ${ADDRESS}\nstore_schema: Lab`, {}, /^thermidor\.yaml:2:15: "store_schema" must be a name/],
  ['a schema of PostgreSQL', `store: ${ADDRESS}\nstore_schema: pg_lab`, {}, /^thermidor\.yaml:2:15: "store_schema" must be/],
  ['a schema that is SQL', `store: ${ADDRESS}\nstore_schema: 'a"; drop'`, {}, /^thermidor\.yaml:2:1[56]: "store_schema" must be/],
  ['a schema of no database', 'user: ann\nstore_schema: lab', {}, /^thermidor\.yaml:2:1: "store_schema" names tables of a database/],
  ['a variable without an address', '', { THERMIDOR_STORE: PASSWORD }, /^THERMIDOR_STORE must be an address/],
  ['a variable that is no schema', `store: ${ADDRESS}`, { THERMIDOR_STORE_SCHEMA: 'Lab' }, /^THERMIDOR_STORE_SCHEMA must be a name/],
  ['a variable for no database', '', { THERMIDOR_STORE_SCHEMA: 'lab' }, /^THERMIDOR_STORE_SCHEMA names tables of a database/],
])('%s is refused, and not shown', (_, text, env, says) => {
  let problem: unknown;
  try {
    read(text, env);
  } catch (error) {
    problem = error;
  }
  expect(problem).toMatchObject({ exit: EXIT.usage, code: 'settings.invalid', message: expect.stringMatching(says) });
  expect(JSON.stringify([problem, (problem as Error).message])).not.toContain(PASSWORD);
});

test('a worker wants the key that its hosts share', async () => {
  const missing = { code: 'settings.invalid', more: { hint: expect.stringContaining('openssl rand') } };
  await expect(requireStore(read(`user: ann\nstore: ${ADDRESS}`))).rejects.toMatchObject({
    ...missing,
    message: expect.stringMatching(/^thermidor\.yaml:2:1: .*callbacks\.secret/),
  });
  await expect(requireStore(read('', { THERMIDOR_STORE: ADDRESS }))).rejects.toMatchObject({
    ...missing,
    message: expect.stringMatching(/^THERMIDOR_STORE: .*callbacks\.secret/),
  });
  await expect(requireStore(read(''))).resolves.toBeUndefined();
});

test('a state folder has no tables to migrate', async () => {
  const terminal = fakeTerminal({ cwd, env: {} });
  const invocation: Invocation = { args: [], options: new Options({}), terminal, catalogue: { commands: [], nouns: {} } };
  await expect(migrate(invocation)).rejects.toMatchObject({ exit: EXIT.usage, more: { hint: expect.stringContaining('THERMIDOR_STORE') } });
});
