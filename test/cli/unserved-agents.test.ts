import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../../cli/exit';
import type { AskedAgent } from '../../cli/serving/asked-agents';
import { type AgentSettings, type Unserved, unservedAgents, unservedFailure } from '../../cli/serving/unserved-agents';
import type { AdapterSpec, ModelAlias, ToolServerSpec } from '../../plan/agents/adapter';
import { scratchFolder } from '../activities/workshop';

interface Given {
  adapters?: Record<string, AdapterSpec>;
  models?: Record<string, ModelAlias>;
  mcp?: Record<string, ToolServerSpec>;
  defaultAdapter?: string;
  env?: NodeJS.ProcessEnv;
}

const set = <T>(value: T) => ({ value, source: 'a test' });

function unserved(
  asked: readonly AskedAgent[],
  { adapters = {}, models = {}, mcp = {}, defaultAdapter = 'anthropic', env = {} }: Given = {},
): Promise<Unserved[]> {
  const settings: AgentSettings = {
    adapters: set(adapters),
    models: set(models),
    toolServers: set(mcp),
    defaultAdapter: set(defaultAdapter),
  };
  return unservedAgents(asked, settings, env);
}

/** A folder with a program in it. */
function folderWith(program: string): string {
  const folder = scratchFolder();
  writeFileSync(join(folder, program), '#!/bin/sh\n');
  chmodSync(join(folder, program), 0o755);
  return folder;
}

const NO_KEY = { code: 'secret.missing', agents: ['a', 'b'], says: expect.stringContaining('ANTHROPIC_API_KEY') };
const KEY = { ANTHROPIC_API_KEY: 'sk-ant-of-a-test' };

test('a key that is not there is reported once, with the variable and everybody who needs it', async () => {
  const asked = [
    { agent: 'b', model: 'm' },
    { agent: 'a', model: 'm' },
  ];
  expect(await unserved(asked)).toEqual([NO_KEY]);
  expect(await unserved(asked, { env: { ANTHROPIC_API_KEY: '  ' } })).toEqual([NO_KEY]);
  expect(await unserved(asked, { env: KEY })).toEqual([]);
});

test('a key that is a reference is looked up where it leads, and is reported by that name', async () => {
  const adapters: Record<string, AdapterSpec> = { anthropic: { kind: 'anthropic', key: 'secret://env/TEAM_KEY', model: 'm' } };
  expect(await unserved([{ agent: 'a' }], { adapters, env: KEY })).toMatchObject([
    { code: 'secret.missing', says: expect.stringMatching(/"anthropic".*TEAM_KEY/) },
  ]);
  expect(await unserved([{ agent: 'a' }], { adapters, env: { TEAM_KEY: 'k' } })).toEqual([]);
});

test('a key with a line break in it is reported, and not quoted', async () => {
  const [found] = await unserved([{ agent: 'a', model: 'm' }], { env: { ANTHROPIC_API_KEY: 'sk-ant\nsecond' } });
  expect(found).toMatchObject({ code: 'secret.missing' });
  expect(JSON.stringify(found)).not.toContain('second');
});

test('a service at an address of one’s own needs none', async () => {
  const adapters: Record<string, AdapterSpec> = { local: { kind: 'openai', baseUrl: 'http://127.0.0.1:1/v1', model: 'm' } };
  expect(await unserved([{ agent: 'a', adapter: 'local' }], { adapters })).toEqual([]);
});

test('an agent that names no model is reported if neither its adapter does', async () => {
  expect(await unserved([{ agent: 'a' }, { agent: 'b', model: 'm' }], { env: KEY })).toMatchObject([
    { code: 'model.bad-request', agents: ['a'] },
  ]);
  expect(await unserved([{ agent: 'a' }], { env: KEY, adapters: { anthropic: { kind: 'anthropic', model: 'm' } } })).toEqual([]);
});

test('a name for a model chooses the adapter whose key is looked for', async () => {
  const models = { deep: { model: 'm', adapter: 'openai' } };
  expect(await unserved([{ agent: 'a', model: 'deep' }], { models, env: KEY })).toMatchObject([
    { code: 'secret.missing', says: expect.stringContaining('OPENAI_API_KEY') },
  ]);
});

test('an adapter that there is not is reported with the nearest', async () => {
  expect(await unserved([{ agent: 'a', adapter: 'anthropc' }], { env: KEY })).toMatchObject([
    { code: 'adapter.unavailable', says: expect.stringContaining('did you mean "anthropic"') },
  ]);
  expect(await unserved([{ agent: 'a', adapter: 'scripted' }])).toMatchObject([{ code: 'adapter.unavailable' }]);
});

test('an adapter that only code makes is none of this program’s', async () => {
  expect(await unserved([{ agent: 'a', adapter: 'mine' }], { adapters: { mine: { kind: 'own' } } })).toMatchObject([
    { code: 'adapter.unavailable', says: expect.stringContaining('"mine"') },
  ]);
});

describe('a program', () => {
  test('is looked for where the adapter looks: on the PATH that it would have, and nowhere else', async () => {
    const folder = folderWith('claude');
    const asked = [{ agent: 'a', adapter: 'claude' }];
    expect(await unserved(asked, { env: { PATH: folder } })).toEqual([]);
    expect(await unserved(asked, { env: { PATH: scratchFolder() } })).toMatchObject([
      { code: 'adapter.unavailable', says: expect.stringContaining('npm install') },
    ]);
    const adapters: Record<string, AdapterSpec> = { claude: { kind: 'cli', preset: 'claude', env: { PATH: folder } } };
    expect(await unserved(asked, { adapters, env: { PATH: scratchFolder() } })).toEqual([]);
  });

  test('that may not be run is none', async () => {
    const folder = folderWith('mybot');
    chmodSync(join(folder, 'mybot'), 0o644);
    const adapters: Record<string, AdapterSpec> = { mybot: { kind: 'cli', command: [join(folder, 'mybot')] } };
    expect(await unserved([{ agent: 'a', adapter: 'mybot' }], { adapters })).toMatchObject([{ code: 'adapter.unavailable' }]);
  });

  test('that lacks a secret of its environment is reported with the variable', async () => {
    const adapters: Record<string, AdapterSpec> = { mybot: { kind: 'cli', command: ['mybot'], env: { TOKEN: 'secret://env/BOT_TOKEN' } } };
    expect(await unserved([{ agent: 'a', adapter: 'mybot' }], { adapters, env: { PATH: folderWith('mybot') } })).toMatchObject([
      { code: 'secret.missing', says: expect.stringMatching(/"mybot".*BOT_TOKEN/) },
    ]);
  });
});

describe('a server of tools that an agent lists', () => {
  const lister = (tool: string) => [{ agent: 'a', model: 'm', tools: ['read_file', tool] }];

  test('must be set up', async () => {
    expect(await unserved(lister('mcp__docs__search'), { env: KEY })).toMatchObject([
      { agents: ['a'], says: expect.stringContaining('"docs"') },
    ]);
  });

  test('must have its program and its secrets', async () => {
    const env = { ...KEY, PATH: folderWith('npx') };
    const stdio = (command: string[], more = {}): Record<string, ToolServerSpec> => ({ my_docs: { kind: 'stdio', command, ...more } });
    expect(await unserved(lister('mcp__my_docs'), { env, mcp: stdio(['npx', '-y', 'x']) })).toEqual([]);
    expect(await unserved(lister('mcp__my_docs'), { env, mcp: stdio(['uvx']) })).toMatchObject([
      { says: expect.stringContaining('"uvx"') },
    ]);
    expect(await unserved(lister('mcp__my_docs'), { env, mcp: stdio(['npx'], { env: { T: 'secret://env/DOCS' } }) })).toMatchObject([
      { code: 'secret.missing', says: expect.stringMatching(/"my_docs".*DOCS/) },
    ]);
    const http = { kind: 'http', url: 'https://x.invalid', headers: { authorization: 'secret://env/DOCS' } } as const;
    expect(await unserved(lister('mcp__my_docs'), { env, mcp: { my_docs: http } })).toMatchObject([{ code: 'secret.missing' }]);
  });

  test('is not looked for if nobody lists it', async () => {
    expect(await unserved([{ agent: 'a', model: 'm' }], { env: KEY, mcp: { docs: { kind: 'stdio', command: ['none'] } } })).toEqual([]);
  });
});

describe('a refusal', () => {
  const problem = (code: Unserved['code'], ...agents: string[]): Unserved => ({ code, agents, says: 'why' });

  test('is none if nothing is missing', () => expect(unservedFailure([], 'hint')).toBeUndefined());

  test('tells everything at once, with exit 4, and has the code that all have', () => {
    const one = unservedFailure([problem('secret.missing', 'a'), problem('secret.missing', 'b')], 'hint');
    expect(one).toMatchObject({
      exit: EXIT.unreachable,
      code: 'secret.missing',
      more: { hint: expect.stringMatching(/^fix that, or hint$/) },
    });
    expect(one?.more.details).toMatchObject({ problems: ['a: why', 'b: why'] });
    expect(unservedFailure([problem('secret.missing', 'a'), problem('model.bad-request', 'b')], '')?.code).toBe('adapter.unavailable');
  });

  test('names six agents and counts the rest', () => {
    const many = unservedFailure([problem('secret.missing', ...'abcdefgh')], '');
    expect(many?.more.details).toMatchObject({ problems: ['a, b, c, d, e, f and 2 more: why'] });
  });
});

test('a program does not support tool servers, whether there are any or not', async () => {
  const folder = folderWith('claude');
  const asked = [{ agent: 'a', adapter: 'claude', tools: ['read_file', 'mcp__docs__search', 'mcp__bank'] }];
  const mcp: Record<string, ToolServerSpec> = { docs: { kind: 'http', url: 'https://docs.example.org/mcp' } };
  expect(await unserved(asked, { mcp, env: { PATH: folder } })).toEqual([
    { code: 'tool.failed', agents: ['a'], says: expect.stringMatching(/"claude".*mcp__docs__search, mcp__bank/) },
  ]);
});
