import type { ArtifactRef } from '../../plan/run/artifact';
import type { StepInput } from '../../plan/steps/step-activity';
import type { JsonObject } from '../../plan/text/json';
import { KEY } from '../activities/workshop';
import { type ToolBench, toolBench } from './tool-use';

interface Shelf {
  bench: ToolBench;
  thesis: ArtifactRef;
  read(args: JsonObject, input?: Partial<StepInput>): Promise<{ text: string; refused?: true }>;
}

const REPORT = `first line\n${'long '.repeat(20_000)}\nlast line`;

/** A step with two reports and a picture as inputs, in a run with a secret. */
async function shelf(): Promise<Shelf> {
  const bench = toolBench();
  const { artifacts } = bench.toolbox;
  const mask = (text: string) => text.replaceAll('hush-hush', '***');
  const thesis = await artifacts.put('{"thesis":"up","token":"hush-hush"}', { mediaType: 'application/json', name: 'Thesis.json' });
  const report = await artifacts.put(REPORT, { mediaType: 'text/plain', name: 'Report.md' });
  const picture = await artifacts.put(Buffer.from([0x89, 0x50, 0, 0xff]), { mediaType: 'image/png', name: 'chart.png' });
  const input: StepInput = { run: KEY.run, inputs: { bull: thesis, research: report, draw: picture } };
  return { bench, thesis, read: (args, more = {}) => bench.call('read_artifact', args, { mask, input: { ...input, ...more } }) };
}

test('without a question it lists what the step was given', async () => {
  const { read } = await shelf();
  const { text } = await read({});
  expect(text.split('\n').slice(1)).toEqual([
    expect.stringContaining('Thesis.json'),
    expect.stringContaining('Report.md'),
    expect.stringContaining('chart.png'),
  ]);
});

test.each([{ step: 'bull' }, { name: 'Thesis.json' }, { step: 'bull', name: 'Thesis.json' }])(
  'gives it by step or name: %j',
  async (args) => {
    const { read } = await shelf();
    await expect(read(args)).resolves.toEqual({ text: '{"thesis":"up","token":"***"}' });
  },
);

test('gives it by its digest, and nothing else of the store by any', async () => {
  const { bench, thesis, read } = await shelf();
  await expect(read({ sha256: thesis.sha256.toUpperCase() })).resolves.toMatchObject({ text: expect.stringContaining('"up"') });
  const hidden = await bench.toolbox.artifacts.put('not for this step', { mediaType: 'text/plain' });
  const said = await read({ sha256: hidden.sha256 });
  expect(said.refused).toBe(true);
  expect(said.text).not.toContain('not for this step');
});

test.each([{ step: 'judge' }, { name: 'Other.json' }, { step: 'bull', name: 'Report.md' }])(
  'refuses what the step was not given: %j',
  async (args) => {
    const { read } = await shelf();
    await expect(read(args)).resolves.toMatchObject({ refused: true });
  },
);

test('pages lead through all of it', async () => {
  const { read } = await shelf();
  let [text, offset] = ['', 0];
  for (let pages = 0; pages < 10; pages++) {
    const page = await read({ step: 'research', offset });
    const [, shown = '', next] = /^(.*)\n\[characters [^\n]*?(?:offset (\d+)|the end)\]$/s.exec(page.text) ?? [];
    text += shown;
    if (next === undefined) break;
    offset = Number(next);
  }
  expect(text).toBe(REPORT);
});

test('no page shows half a secret', async () => {
  const { read } = await shelf();
  for (const offset of [24, 27, 30]) expect((await read({ step: 'bull', offset })).text).not.toContain('hush');
  expect((await read({ step: 'bull', limit: 29 })).text).not.toContain('hu');
});

test('a place after the end is reported', async () => {
  const { read } = await shelf();
  const { text } = await read({ step: 'bull', offset: 5000 });
  expect(text).toMatch(/^\[.*5000/);
});

test('what is not text is refused, with its type and size', async () => {
  const { read } = await shelf();
  const said = await read({ step: 'draw' });
  expect(said).toMatchObject({ refused: true, text: expect.stringContaining('image/png, 4 bytes') });
});

test('if an operator has replaced the inputs, what he gave is all there is', async () => {
  const { read } = await shelf();
  const replaced = { with: { bull: { thesis: 'down' } } };
  await expect(read({ step: 'bull' }, replaced)).resolves.toMatchObject({ text: expect.stringContaining('down') });
  await expect(read({ step: 'research' }, replaced)).resolves.toMatchObject({ refused: true });
});
