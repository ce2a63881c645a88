import type { JsonObject } from '../../plan/text/json';
import { toolBench, toolNamed } from './tool-use';

async function skilled() {
  const bench = toolBench();
  const put = async (text: string) => (await bench.toolbox.artifacts.put(text, { mediaType: 'text/markdown' })).sha256;
  const files = { 'SKILL.md': await put('Read the tape first.'), 'examples/one.md': await put('An example.') };
  const agent = { ...bench.use.agent, skills: [{ name: 'tape-reading', description: 'reads the tape', files }] };
  return (args: JsonObject) => bench.call('load_skill', args, { agent });
}

test('gives the instructions, and says what other files there are', async () => {
  const load = await skilled();
  const { text } = await load({ name: 'tape-reading' });
  expect(text).toMatch(/^Read the tape first\.\n\[.*examples\/one\.md\]$/);
});

test('gives another file of the skill', async () => {
  const load = await skilled();
  await expect(load({ name: 'tape-reading', file: 'examples/one.md' })).resolves.toEqual({ text: 'An example.' });
});

test.each([
  ['a skill that the agent has not', { name: 'cooking' }, 'tape-reading'],
  ['a file that the skill has not', { name: 'tape-reading', file: '../secrets.md' }, 'examples/one.md'],
  ['a name that every mapping has', { name: 'tape-reading', file: 'constructor' }, 'SKILL.md'],
])('refuses %s, and says what there is', async (_, args, there) => {
  const load = await skilled();
  await expect(load(args)).resolves.toMatchObject({ refused: true, text: expect.stringContaining(there) });
});

test('only agents with skills are offered it', () => {
  const { barred } = toolNamed('load_skill');
  const caller = { agent: 'lead', maxDepth: 0, agents: [], spawns: [], sendsTo: [], channels: [] };
  expect(barred?.(caller)).toBeDefined();
  expect(barred?.({ ...caller, skills: ['tape-reading'] })).toBeUndefined();
});
