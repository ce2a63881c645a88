import { McpToolServers } from '../../activities/adapters/mcp/tool-servers';
import { LocalSecrets } from '../../activities/adapters/secrets';
import type { ToolServer, ToolServers } from '../../activities/ports';
import { openMcpTools } from '../../activities/tools/mcp/mcp-tools';
import { ThermidorFailure } from '../../plan/run/failure';
import { codeOf, failureOf } from '../activities/workshop';
import { NEVER, oddServer } from '../mcp/servers';
import { toolBench } from './tool-use';

const AT = { cwd: '/', log: () => undefined };

interface FakeServers extends ToolServers {
  opened: string[];
  closed: string[];
}

/** Servers with the tools `read` and `write`. Those in `broken` cannot be opened. */
function fakeServers(names: readonly string[], broken: readonly string[] = []): FakeServers {
  const [opened, closed]: [string[], string[]] = [[], []];
  return {
    ...{ names, opened, closed },
    async open(name, { only }): Promise<ToolServer> {
      opened.push(only ? `${name}: ${[...only].join(' ')}` : name);
      if (broken.includes(name)) throw new ThermidorFailure('tool.failed', `${name} is away`);
      const names = ['read', 'write', ...Array.from({ length: 100 }, (_, index) => `more${index}`)];
      return {
        names,
        tools: ['read', 'write'].map((tool) => ({ name: tool, description: `does ${tool}`, parameters: { type: 'object' } })),
        call: async (tool) => (tool === 'read' ? { text: `${name} read` } : { text: 'no room', failed: true }),
        close: async () => void closed.push(name),
      };
    },
  };
}

const open = (toolServers: ToolServers, ...tools: string[]) => openMcpTools({ toolServers }, { id: 'lead', tools }, AT, NEVER);

test('a server’s name means all its tools, a tool’s name the tool; each server is opened once', async () => {
  const servers = fakeServers(['fs', 'db', 'web']);
  const { tools, close } = await open(servers, 'read_file', 'mcp__fs', 'mcp__fs__read', 'mcp__db__read');
  expect(Object.keys(tools).sort()).toEqual(['mcp__db__read', 'mcp__fs__read', 'mcp__fs__write']);
  expect(Object.values(tools).every(({ listedOnly }) => listedOnly)).toBe(true);
  expect(servers.opened.sort()).toEqual(['db: read', 'fs']);
  await close();
  expect(servers.closed.sort()).toEqual(['db', 'fs']);
});

test('a server that comes with the agent wins over the worker’s of the same name', async () => {
  const { command } = oddServer('plain');
  const servers = new McpToolServers({ odd: { kind: 'stdio', command: ['false'] } }, new LocalSecrets());
  const lead = { id: 'lead', tools: ['mcp__odd'], toolServers: { odd: command } };
  const { tools, close } = await openMcpTools({ toolServers: servers }, lead, AT, NEVER);
  expect(Object.keys(tools).length).toBeGreaterThan(0);
  await close();
  await expect(openMcpTools({ toolServers: servers }, { ...lead, toolServers: {} }, AT, NEVER)).rejects.toMatchObject({
    code: 'tool.failed',
  });
});

test('an agent that lists none opens none', async () => {
  const servers = fakeServers(['fs']);
  await expect(open(servers, 'read_file')).resolves.toMatchObject({ tools: {} });
  expect(servers.opened).toEqual([]);
});

test('an agent reads what the tool says, also that it could not', async () => {
  const { tools } = await open(fakeServers(['fs']), 'mcp__fs');
  const { use } = toolBench();
  await expect(tools['mcp__fs__read']?.call({}, use)).resolves.toEqual({ text: 'fs read' });
  await expect(tools['mcp__fs__write']?.call({}, use)).resolves.toEqual({ text: expect.stringMatching(/failed[\s\S]*no room/) });
});

test('if one cannot be opened, it fails and the others are closed', async () => {
  const servers = fakeServers(['fs', 'db'], ['db']);
  await expect(codeOf(open(servers, 'mcp__fs', 'mcp__db'))).resolves.toBe('tool.failed');
  expect(servers.closed).toEqual(['fs']);
});

test('a tool that is listed and not there fails, and says what is there', async () => {
  const servers = fakeServers(['fs']);
  const failure = await failureOf(open(servers, 'mcp__fs__raed'));
  expect(failure).toMatchObject({ code: 'tool.failed', details: { server: 'fs', missing: ['raed'] } });
  expect(failure.message).toMatch(/read, write, more0, .*more47, and 52 more$/);
  expect(servers.closed).toEqual(['fs']);
});

test('without servers, an agent that lists one fails', async () => {
  await expect(codeOf(openMcpTools({}, { id: 'lead', tools: ['mcp__fs'] }, AT, NEVER))).resolves.toBe('tool.failed');
});

test('a process ends with the try that was cancelled', async () => {
  const control = new AbortController();
  const toolServers = new McpToolServers({ odd: oddServer('mute') }, new LocalSecrets({}));
  const reason = new Error('cancelled');
  const opening = openMcpTools({ toolServers }, { id: 'lead', tools: ['mcp__odd'] }, AT, control.signal);
  setImmediate(() => control.abort(reason));
  await expect(opening).rejects.toBe(reason);
});
