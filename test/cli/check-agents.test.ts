import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { checkAgents } from '../../cli/checks/agents';
import { checkEndpoints } from '../../cli/checks/endpoints';
import { interestOf } from '../../cli/checks/interest';
import { checkModels, checkUnpriced } from '../../cli/checks/models';
import { Options } from '../../cli/command';
import { execute as run } from '../../cli/commands/run';
import { EXIT } from '../../cli/exit';
import { HELLO } from '../../cli/init/hello-template';
import { contentOf } from '../../cli/init/write-folder';
import { folderAgents } from '../../cli/serving/folder-agents';
import { loadConfiguration } from '../../cli/settings/configuration';
import type { AdapterSpec } from '../../plan/agents/adapter';
import { scratchFolder } from '../activities/workshop';
import { writeFiles } from '../support/scratch-folder';
import { fakeTerminal } from './fake-terminal';

/** What `thermidor doctor` reports about agents, and what `run` refuses for the same reasons. */
const KEY = 'sk-ant-of-a-test-1234';

describe('services of models', () => {
  const specs = new Map<string, AdapterSpec>([
    ['anthropic', { kind: 'anthropic' }],
    ['openai', { kind: 'openai' }],
    ['local', { kind: 'openai', baseUrl: 'http://127.0.0.1:1/v1', model: 'qwen3' }],
    ['team', { kind: 'anthropic', key: 'secret://env/TEAM_KEY' }],
    ['claude', { kind: 'cli', preset: 'claude' }],
  ]);
  const look = (setUp: string[], used: string[], env: NodeJS.ProcessEnv = {}) =>
    checkEndpoints(specs, { setUp: new Set(setUp), used: new Set(used) }, env);

  test('are reported where they are set up or used, with their address, their model and where their key comes from', async () => {
    const checks = await look(['local', 'team'], ['anthropic', 'claude'], {
      ...{ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: 'http://127.0.0.1:2', TEAM_KEY: KEY },
    });
    expect(checks.map(({ name, state }) => [name, state])).toEqual([
      ['endpoint anthropic', 'ok'],
      ['endpoint local', 'ok'],
      ['endpoint team', 'ok'],
    ]);
    const [anthropic, local, team] = checks.map(({ says }) => says);
    expect(anthropic).toMatch(/127\.0\.0\.1:2.*ANTHROPIC_BASE_URL.*ANTHROPIC_API_KEY/);
    expect(local).toMatch(/127\.0\.0\.1:1.*no key.*qwen3/);
    expect(team).toContain('TEAM_KEY');
    expect(JSON.stringify(checks)).not.toContain(KEY);
  });

  test('are reported with the proxy of the environment, by its host alone', async () => {
    const env = { ANTHROPIC_API_KEY: KEY, https_proxy: 'http://me:hunter2@proxy.corp:3128', HTTP_PROXY: 'http://other:1' };
    const [anthropic, local] = await look(['local'], ['anthropic'], env);
    expect(anthropic).toMatchObject({ state: 'ok', says: expect.stringMatching(/proxy\.corp:3128.*https_proxy/) });
    expect(local?.says).not.toContain('proxy');
    expect(JSON.stringify(anthropic)).not.toContain('hunter2');
    const lost = await look([], ['anthropic'], { ...env, https_proxy: 'socks5://me:hunter2@proxy.corp' });
    expect(lost).toMatchObject([{ state: 'warning', says: expect.stringMatching(/^((?!hunter2).)*https_proxy((?!hunter2).)*$/) }]);
  });

  test('without a key fail it only if somebody has set them up', async () => {
    expect(await look(['team'], ['anthropic', 'team'])).toMatchObject([
      { name: 'endpoint anthropic', state: 'warning', says: expect.stringContaining('ANTHROPIC_API_KEY') },
      { name: 'endpoint team', state: 'failed', says: expect.stringContaining('TEAM_KEY') },
    ]);
  });
});

describe('adapters of interest', () => {
  const setting = <T>(value: T, source = 'thermidor.yaml') => ({ value, source });
  const anthropic = setting('anthropic', 'default');
  const local: AdapterSpec = { kind: 'openai', baseUrl: 'http://127.0.0.1:1/v1' };
  const settings = { adapters: setting({ local }), models: setting({ fast: { model: 'q', adapter: 'local' } }), defaultAdapter: anthropic };

  test.each<[what: string, agents: { model?: string; adapter?: string }[], used: string[]]>([
    [
      'the default is none where names of models lead all agents elsewhere',
      [{ model: 'fast' }, { adapter: 'openai' }],
      ['local', 'openai'],
    ],
    ['the default is one where an agent is run by it', [{ model: 'fast' }, { model: 'other' }], ['anthropic', 'local']],
    ['the default is one where there is no agent yet', [], ['anthropic', 'local']],
  ])('%s', (_, agents, used) => {
    expect([...interestOf(agents, settings).used].sort()).toEqual(used);
  });

  test('what a name of models leads to is one, though no agent has that name yet', () => {
    const models = setting({ fast: { model: 'q', adapter: 'openai' }, deep: { model: 'r' } });
    expect([...interestOf([{ adapter: 'local' }], { ...settings, models }).used].sort()).toEqual(['local', 'openai']);
  });

  test('what somebody has chosen is set up', () => {
    const { setUp } = interestOf([{ model: 'fast' }], { ...settings, defaultAdapter: setting('openai', 'THERMIDOR_DEFAULT_ADAPTER') });
    expect([...setUp].sort()).toEqual(['local', 'openai']);
  });
});

describe('models', () => {
  const specs = new Map<string, AdapterSpec>([
    ['anthropic', { kind: 'anthropic' }],
    ['claude', { kind: 'cli' }],
  ]);
  const by = (adapter: string, model: string) => ({ adapter, model, adapterFrom: 'agent' as const });
  const prices = { models: { 'claude-x': { input: 1, output: 2 } } };

  test('that are meant by other names are reported', () => {
    expect(checkModels({ fast: { model: 'm' }, deep: { model: 'n', adapter: 'local' } })).toMatchObject([
      { says: 'fast → m, deep → n by local' },
    ]);
    expect(checkModels({})).toEqual([]);
  });

  test('without a price are reported once, unless a program runs them or nothing has one', () => {
    const agents = [by('anthropic', 'claude-x-20251101'), by('anthropic', 'new'), by('anthropic', 'new'), by('claude', 'sonnet')];
    expect(checkUnpriced(agents, specs, prices)).toMatchObject([{ state: 'warning', says: expect.stringMatching(/ new:/) }]);
    expect(checkUnpriced(agents, specs, { models: {} })).toEqual([]);
  });
});

describe('agents of the folder’s pipelines', () => {
  let cwd = '';
  const write = (path: string, text: string) => writeFiles({ [path]: text }, cwd);
  beforeEach(() => {
    cwd = scratchFolder();
    for (const [path, text] of Object.entries(contentOf(HELLO))) write(path, text);
  });
  afterEach(() => rmSync(cwd, { recursive: true, force: true }));

  const around = (env: NodeJS.ProcessEnv) => ({ cwd, env, home: cwd, platform: 'linux' as const });
  const check = async (env: NodeJS.ProcessEnv = {}) => {
    const configuration = loadConfiguration(new Options({}), around(env));
    return await checkAgents(await folderAgents(configuration, cwd), configuration, env);
  };
  const start = (options: Record<string, unknown>, env: NodeJS.ProcessEnv = {}) =>
    run({ args: ['hello'], options: new Options(options), terminal: fakeTerminal({ cwd, env }), catalogue: { commands: [], nouns: {} } });

  test('that could not be asked are a warning, because a script can stand in', async () => {
    expect(await check()).toMatchObject([{ name: 'agents', state: 'warning', says: expect.stringMatching(/writer.*ANTHROPIC_API_KEY/) }]);
    expect(await check({ ANTHROPIC_API_KEY: KEY })).toMatchObject([
      { name: 'agents', state: 'ok', says: expect.stringContaining('writer') },
    ]);
  });

  test('of a pipeline with mistakes are not known; the pipeline is reported', async () => {
    write('pipelines/broken.yaml', 'name: broken\nsteps: []\n');
    expect(await check({ ANTHROPIC_API_KEY: KEY })).toMatchObject([
      { name: 'pipelines', state: 'warning', says: expect.stringContaining('broken.yaml'), hint: expect.stringContaining('validate') },
      { name: 'agents', state: 'ok' },
    ]);
  });

  test.each([
    ['with --live', { live: true }],
    ['without a script', {}],
    ['in the background', { detach: true }],
  ])('that could not be asked keep a run from beginning: %s', async (_how, options) => {
    await expect(start(options)).rejects.toMatchObject({
      exit: EXIT.unreachable,
      code: 'secret.missing',
      more: { hint: expect.any(String) },
    });
    expect(existsSync(join(cwd, '.thermidor'))).toBe(false);
  });

  test('are looked at in a dry run, which tells all the same', async () => {
    const terminal = fakeTerminal({ cwd });
    const options = new Options({ live: true, dryRun: true, json: true });
    expect(await run({ args: ['hello'], options, terminal, catalogue: { commands: [], nouns: {} } })).toBe(EXIT.done);
    expect(JSON.parse(terminal.written.out).problems).toEqual([expect.stringContaining('ANTHROPIC_API_KEY')]);
  });
});
