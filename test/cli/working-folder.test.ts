import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Options } from '../../cli/command';
import { execute as init } from '../../cli/commands/init';
import { execute as run } from '../../cli/commands/run';
import { execute as validate } from '../../cli/commands/validate';
import { EXIT } from '../../cli/exit';
import { HELLO } from '../../cli/init/hello-template';
import { settingsText } from '../../cli/init/settings-text';
import { contentOf } from '../../cli/init/write-folder';
import { parseSettings } from '../../cli/settings/settings-file';
import { priceOf } from '../../plan/budgets/price';
import { scratchFolder } from '../support/scratch-folder';
import { fakeTerminal } from './fake-terminal';

let cwd = '';
beforeEach(() => {
  cwd = scratchFolder();
});

const catalogue = { commands: [], nouns: {} };
const call = (command: typeof init, args: string[], options: Record<string, unknown> = {}, env: NodeJS.ProcessEnv = {}) => {
  const terminal = fakeTerminal({ cwd, env });
  return { terminal, exit: command({ args, options: new Options(options), terminal, catalogue }) };
};

test('what init writes is valid, script and all', async () => {
  expect(await call(init, ['hello']).exit).toBe(EXIT.done);
  const { terminal, exit } = call(validate, [join(cwd, 'hello/pipelines/hello.yaml')], { script: 'hello', json: true });
  expect(await exit).toBe(EXIT.done);
  expect(JSON.parse(terminal.written.out)).toMatchObject({ ok: true, files: [{ pipeline: 'hello', diagnostics: [] }] });
});

describe('the settings that init writes', () => {
  const written = settingsText('hello');
  const all = written.replaceAll(/^#(?! )|^#(?= {2})/gm, '');

  test('are valid as they are, and with every # taken away', () => {
    expect(parseSettings('thermidor.yaml', written)).toEqual({ pipelines: ['pipelines'] });
    expect(Object.keys(parseSettings('thermidor.yaml', all)).sort()).toEqual([
      'adapters',
      'address',
      'channels',
      'default_adapter',
      'directory',
      'models',
      'namespace',
      'pipelines',
      'prices',
    ]);
  });

  test('show every model that they name with its price', () => {
    const { adapters = {}, models = {}, prices = { models: {} } } = parseSettings('thermidor.yaml', all);
    const named = [...Object.values(adapters), ...Object.values(models)].flatMap(({ model }) => model ?? []);
    expect(named.length).toBeGreaterThan(2);
    for (const model of named) expect(priceOf(model, prices)).toBeDefined();
  });

  test('let its agents be asked with nothing but a key', async () => {
    await call(init, []).exit;
    const { terminal, exit } = call(run, ['hello'], { live: true, dryRun: true, json: true }, { ANTHROPIC_API_KEY: 'k' });
    expect(await exit).toBe(EXIT.done);
    expect(JSON.parse(terminal.written.out)).toMatchObject({ problems: [] });
  });
});

test('a file that is there already stays as it is', async () => {
  writeFileSync(join(cwd, 'thermidor.yaml'), 'user: eve\n');
  const { terminal, exit } = call(init, []);
  expect(await exit).toBe(EXIT.done);
  expect(readFileSync(join(cwd, 'thermidor.yaml'), 'utf8')).toBe('user: eve\n');
  for (const name of Object.keys(contentOf(HELLO))) expect(terminal.written.out).toContain(name);
});

test('validate goes over every file, whatever is wrong with the ones before', async () => {
  await call(init, []).exit;
  writeFileSync(join(cwd, 'bad.yaml'), 'name: bad\nstepz: []\n');
  const files = [join(cwd, 'none.yaml'), join(cwd, 'bad.yaml'), join(cwd, 'pipelines/hello.yaml')];
  const { terminal, exit } = call(validate, files, { json: true });
  expect(await exit).toBe(EXIT.usage);
  const { files: told } = JSON.parse(terminal.written.out) as {
    files: { ok: boolean; problem?: { code: string }; diagnostics: unknown[] }[];
  };
  expect(told.map(({ ok }) => ok)).toEqual([false, false, true]);
  expect(told[0]?.problem?.code).toBe('pipeline.unreadable');
  expect(told[1]?.diagnostics.length).toBeGreaterThan(0);
});

test('a script that does not fit its pipeline is reported, with what does not fit', async () => {
  await call(init, []).exit;
  writeFileSync(join(cwd, 'pipelines/scripts/hello.yaml'), 'replies:\n  greeet:\n    - json: {}\n');
  const { terminal, exit } = call(validate, [join(cwd, 'pipelines/hello.yaml')], { script: 'hello', json: true });
  expect(await exit).toBe(EXIT.usage);
  expect(JSON.parse(terminal.written.out)).toMatchObject({ files: [{ ok: false, problem: { code: 'script.invalid' } }] });
});

test('what does not fit is said in words, a place in the script as well', async () => {
  await call(init, []).exit;
  for (const replies of ['greeet: [{json: {}}]', 'greet: {json: {}}']) {
    writeFileSync(join(cwd, 'pipelines/scripts/hello.yaml'), `replies: {${replies}}\n`);
    const { terminal, exit } = call(validate, [join(cwd, 'pipelines/hello.yaml')], { script: 'hello' });
    expect(await exit).toBe(EXIT.usage);
    expect(terminal.written.out).toContain('gree');
    expect(terminal.written.out).not.toContain('[object');
  }
});
