import { programAdapter } from '../../activities/adapters/cli-agent/adapter';
import { McpToolServers } from '../../activities/adapters/mcp/tool-servers';
import { GroupProcessRunner } from '../../activities/adapters/processes/process-runner';
import { LocalSecrets } from '../../activities/adapters/secrets';
import { agent } from '../../activities/agent/agent';
import type { AgentAdapter } from '../../activities/agent-port';
import { LogFiles } from '../../records/directory/step-logs/log-files';
import { calls, LEAD, scriptedShop, text } from '../activities/scripted-shop';
import { KEY, scratchFolder, workshop } from '../activities/workshop';
import { oddServer } from '../mcp/servers';
import { entriesOf, printed } from './kept';

const HIDDEN = 'tok-0123456789';

test('what an agent’s program prints is kept, without its own secrets and the run’s', async () => {
  const root = scratchFolder();
  const secrets = new LocalSecrets({ MY_TOKEN: HIDDEN, KEY: 'hush-hush' });
  const script = 'echo "working with $TOKEN and hush-hush" >&2; echo done';
  const spec = { kind: 'cli' as const, command: ['sh', '-c', script], env: { TOKEN: 'secret://env/MY_TOKEN' }, output: 'text' as const };
  const adapters = new Map([['mine', programAdapter('mine', spec, secrets)]]);
  const at = workshop({ logs: new LogFiles(root), secrets, adapters, defaultAdapter: 'mine', workFolder: async () => root }, root);
  const prompt = await at.blob(['Go.']);
  await at.open([{ id: 'a', kind: 'agent', agent: 'bull', prompt }], { args: { key: { secret: true } } }, undefined, {
    key: 'secret://env/KEY',
  });
  await agent(at.toolbox, at.call('a#1~1'), { run: KEY.run });
  expect((await printed(root, 'a#1~1')).sort()).toEqual(['err working with *** and ***', 'out done']);
});

test('what the tool `run` starts is kept, below a note that says what was run', async () => {
  const root = scratchFolder();
  const argv = ['sh', '-c', 'echo one; echo two >&2; exit 3'];
  const shop = await scriptedShop({
    toolbox: { logs: new LogFiles(root), processes: new GroupProcessRunner(), workFolder: async () => root },
    lead: { tools: ['run'] },
    replies: { lead: [text('done', calls(['run', { argv }]))] },
  });
  await shop.perform();
  const lines = (await entriesOf(root, LEAD)).flatMap((entry) => (entry.kind === 'line' ? `${entry.from} ${entry.text}` : []));
  expect(lines.slice(0, 2)).toEqual([`note log of ${LEAD}`, `note lead: run ${argv.join(' ')}`]);
  expect(lines.slice(2).sort()).toEqual(['stderr two', 'stdout one']);
});

test('what a server of tools prints on stderr is kept, without its own secrets', async () => {
  const root = scratchFolder();
  const caller: AgentAdapter = {
    name: 'caller',
    async *run({ tools, transcript }) {
      const call = { id: 'c1', tool: 'mcp__odd__murmurs', args: {} };
      yield { role: 'assistant', text: '', calls: [call] };
      await tools?.call(call);
      yield { role: 'assistant', text: `${transcript().at(-1)?.role}` };
    },
  };
  const servers = { odd: { ...oddServer(), env: { TOKEN: 'secret://env/MY_TOKEN' } } };
  const toolServers = new McpToolServers(servers, new LocalSecrets({ MY_TOKEN: HIDDEN }));
  const adapters = new Map([['caller', caller]]);
  const at = workshop({ logs: new LogFiles(root), toolServers, adapters, defaultAdapter: 'caller', workFolder: async () => root }, root);
  const definition = await at.blob({ id: 'bull', role: 'You make the bull case.', tools: ['mcp__odd__murmurs'] });
  await at.open([{ id: 'a', kind: 'agent', agent: 'bull' }], { agents: { bull: { definition } } });
  await agent(at.toolbox, at.call('a#1~1'), { run: KEY.run });
  expect(await printed(root, 'a#1~1')).toEqual(['err tool server "odd": serving with ***']);
});
