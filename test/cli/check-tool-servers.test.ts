import { checkToolServers } from '../../cli/checks/tool-servers';
import { scratchFolder } from '../activities/workshop';
import { oddServer } from '../mcp/servers';

test('each server is started, and what it has or why it has nothing is reported', async () => {
  const missing = { kind: 'stdio', command: ['no-such-program-here'] } as const;
  const checks = await checkToolServers({ whole: oddServer(), odd: oddServer('bad'), missing }, scratchFolder(), process.env);
  expect(checks).toMatchObject([
    { name: 'tool server whole', state: 'ok', says: expect.stringContaining('echo') },
    { name: 'tool server odd', state: 'warning', says: expect.stringContaining('listed twice') },
    {
      name: 'tool server missing',
      state: 'failed',
      says: expect.stringContaining('not installed'),
      hint: expect.stringContaining('mcp.missing'),
    },
  ]);
});

test('what cannot start is not started: a secret that is not there is named', async () => {
  const echo = { ...oddServer(), env: { TOKEN: 'secret://env/NOT_SET_HERE' } };
  const docs = { kind: 'http', url: 'https://x.invalid/mcp', headers: { authorization: 'secret://env/NOT_SET_HERE' } } as const;
  const checks = await checkToolServers({ echo, docs }, scratchFolder(), process.env);
  expect(checks).toMatchObject([{ state: 'failed' }, { state: 'failed' }]);
  for (const { says } of checks) expect(says).toContain('NOT_SET_HERE');
});

test('if none is set up, there is nothing to say', async () => {
  await expect(checkToolServers({}, scratchFolder(), process.env)).resolves.toEqual([]);
});
