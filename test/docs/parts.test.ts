import { load } from 'js-yaml';
import { execute as runTests } from '../../cli/commands/test';
import { isJsonObject, type Json } from '../../plan/text/json';
import { type Block, blocksOfPage, placeOf } from './block';
import { kindOf } from './block-kind';
import { PAGES, readPage } from './page';
import { commanded } from './play-printed';
import { inFolder } from './printed-files';

/** Parts of files. A part of a shipped file is equal to it; a part of a test or script works in a whole file. */
const parts = PAGES.filter((page) => page !== 'docs/tutorial.md')
  .flatMap(blocksOfPage)
  .flatMap((block) => {
    const kind = kindOf(block);
    return kind?.kind === 'part' ? [{ block, of: kind.of }] : [];
  });
const those = (fits: (of: string) => boolean) =>
  parts.filter(({ of }) => fits(of)).map((part) => [`${placeOf(part.block)} ${part.of}`, part] as const);

const isShipped = (of: string): boolean => of.startsWith('pipelines/');
const isPlayed = (of: string): boolean => /\.test\.yaml$|^scripts\//.test(of);

test('each is of a kind that a test knows', () => {
  // The interface of adapters is compared in adapters.test.ts, and what kinds run is compiled in test/layers/new.test.ts.
  const isCompiled = (of: string): boolean => of === 'activities/agent-port.ts' || /^kinds\/[^/]+\/run\.ts$/.test(of);
  const left = parts.filter(({ of }) => !isShipped(of) && !isPlayed(of) && !isCompiled(of));
  expect(left.map(({ block }) => placeOf(block))).toEqual([]);
});

function mappingOf({ text }: Pick<Block, 'text'>): { [key: string]: Json } {
  const value: unknown = load(text);
  if (!isJsonObject(value)) throw new Error('it is no mapping');
  return value;
}

test.each(those(isShipped))('%s: what it shows is so there', (_, { block, of }) => {
  const { steps, ...keys } = mappingOf(block);
  const { steps: theirs, ...shipped } = mappingOf({ text: readPage(of) });
  expect(shipped).toMatchObject(keys);
  expect(Array.isArray(steps) && steps.length).toBeGreaterThan(1);
  for (const step of Array.isArray(steps) ? steps : []) expect(theirs).toContainEqual(expect.objectContaining(step));
});

/** Steps of the part are agents' steps; their tools are those that the part calls. */
test.each(those(isPlayed))('%s: a whole test with it passes', async (_, { block }) => {
  const part = mappingOf(block);
  const replies = isJsonObject(part['replies']) ? part['replies'] : {};
  const tools = [...JSON.stringify(replies).matchAll(/"tool":"([^"]+)"/g)].map(([, tool]) => tool);
  const ids = Object.keys(replies);
  const servers = tools.flatMap((tool) => /^mcp__([^_]+)__/.exec(tool ?? '')?.[1] ?? []);
  const pipeline = {
    name: 'whole',
    agents: { worker: { role: 'You work.', tools: [...new Set(tools)] } },
    steps: [
      { id: 'invoice', run: 'echo 5' },
      ...ids.map((id) => ({ id, agent: 'worker', prompt: 'Work.', input: { invoice: '$invoice' } })),
    ],
  };
  const commands = { invoice: { stdout: '5' }, ...(isJsonObject(part['commands']) ? part['commands'] : {}) };
  const tests = { ...part, commands, tests: [{ name: 'as it is printed', expect: { status: 'completed' } }] };
  const settings = { mcp: Object.fromEntries(servers.map((name) => [name, { command: ['none'] }])) };
  const files = { 'whole.yaml': pipeline, 'whole.test.yaml': tests, ...(servers.length > 0 ? { 'thermidor.yaml': settings } : {}) };
  await inFolder(
    Object.entries(files).map(([path, file]) => ({ path, text: JSON.stringify(file) })),
    async (folder) => expect(await commanded(runTests, folder, ['whole.test.yaml'])).toMatchObject({ exit: 0 }),
  );
  expect(ids.length).toBeGreaterThan(0);
});
