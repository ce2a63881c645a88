import { checkToolServers } from '../../cli/checks/tool-servers';
import { scratchFolder } from '../activities/workshop';
import { oddServer } from '../mcp/servers';

test('each server is started, and what it has or why it has nothing is told', async () => {
  const missing = { kind: 'stdio', command: ['no-such-program-here'] } as const;
  const checks = await checkToolServers({ whole: oddServer(), odd: oddServer('bad'), missing }, scratchFolder());
  expect(checks).toMatchObject([
    { name: 'tool server whole', state: 'ok', says: expect.stringContaining('echo') },
    { name: 'tool server odd', state: 'warning', says: expect.stringContaining('listed twice') },
    { name: 'tool server missing', state: 'failed', says: expect.stringContaining('127'), hint: expect.stringContaining('mcp.missing') },
  ]);
});

test('where none is set up, there is nothing to say', async () => {
  await expect(checkToolServers({}, scratchFolder())).resolves.toEqual([]);
});
