import { agent } from '../../activities/agent/agent';
import { INPUTS_FOLDER } from '../../activities/agent/prompt/prompt-inputs';
import { layOutInputs, wholeInputs } from '../../activities/agent/prompt/whole-inputs';
import type { AgentAdapter } from '../../activities/agent-port';
import { type ToolPorts, ToolRefusal } from '../../activities/tool-ports';
import { defined } from '../../plan/defined';
import { codeOf, fakeAgent, KEY, withAgent, workshop } from './workshop';

type Written = Record<string, string>;

function portsThat(write: (path: string, text: string) => void): ToolPorts {
  const files = {
    async write({ path }: { path: string }, text: string) {
      write(path, text);
      return { made: true };
    },
  };
  return { files } as unknown as ToolPorts;
}

const keeping = (written: Written) => portsThat((path, text) => Object.assign(written, { [path]: text }));

/** What a prompt says about an input that is too long for it, and the file that the agent gets. */
async function told(adapterMore: Partial<AgentAdapter>, tools?: string[]): Promise<{ prompt: string; written: Written }> {
  const written: Written = {};
  const adapter = fakeAgent(() => 'done');
  const shop = workshop({ ...withAgent(Object.assign(adapter, adapterMore)), toolPorts: keeping(written) });
  const definition = await shop.blob({ id: 'bull', role: 'You read.', ...defined({ tools }) });
  await shop.open([{ id: 'bull', kind: 'agent', agent: 'bull' }], { agents: { bull: { definition } } });
  const dig = await shop.artifacts.put('a line of a long report\n'.repeat(10_000), { mediaType: 'text/plain', name: 'Report.md' });
  await agent(shop.toolbox, shop.call('bull#1~1'), { run: KEY.run, inputs: { dig } });
  return { prompt: adapter.requests[0]?.prompt ?? '', written };
}

test('the prompt of an agent with our tools says how to read the rest', async () => {
  const { prompt, written } = await told({});
  expect(prompt).toContain('dig (Report.md, 240000 bytes)');
  expect(prompt).toContain('read_artifact {"step":"dig"}');
  expect(written).toEqual({});
});

test('an agent with tools of its own finds the whole in its folder, where git does not see it', async () => {
  const { prompt, written } = await told({ ownTools: true });
  const [ignore, [path, text] = []] = Object.entries(written);
  expect(ignore).toEqual([`${INPUTS_FOLDER}/.gitignore`, '*\n']);
  expect(text).toHaveLength(240_000);
  expect(prompt).toContain(`${path}`);
});

test.each([
  ['reads files and not artifacts', ['read_file'], 'file'],
  ['lists the tool', ['read_file', 'read_artifact'], 'tool'],
  ['reads nothing', ['grep'], undefined],
])('the prompt of an agent that %s names what it can use', (_, tools, expected) => {
  expect(wholeInputs({ toolPorts: keeping({}) }, {}, { tools }, {})).toBe(expected);
});

test('a step that allows less is heeded', () => {
  expect(wholeInputs({ toolPorts: keeping({}) }, {}, {}, { tools: ['subagents'] })).toBeUndefined();
});

test('what is laid out has no secrets', async () => {
  const written: Written = {};
  await layOutInputs({ toolPorts: keeping(written) }, '/step', [{ path: 'a.txt', text: 'hush' }], { mask: () => '***' });
  expect(written['a.txt']).toBe('***');
});

test('a folder that does not take them fails the try', async () => {
  const toolPorts = portsThat(() => {
    throw new ToolRefusal('a link leads out of it');
  });
  const laidOut = layOutInputs({ toolPorts }, '/step', [{ path: 'a.txt', text: 'x' }], { mask: (text) => text });
  await expect(codeOf(laidOut)).resolves.toBe('tool.failed');
});
