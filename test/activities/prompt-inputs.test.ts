import { INPUT_BYTES, INPUTS_BYTES, INPUTS_FOLDER, inputFiles, shownInputs } from '../../activities/agent/prompt/prompt-inputs';
import type { Json } from '../../plan/text/json';

const textOf = (content: Json): string => (typeof content === 'string' ? content : JSON.stringify(content, null, 2));
const bytesOf = (content: Json): number => Buffer.byteLength(textOf(content));
const line = (length: number): string => `${'x'.repeat(length - 1)}\n`;

test('what fits is shown as it is, with its name, title and size', () => {
  expect(
    shownInputs([
      { name: 'bull', title: 'Thesis.json', content: { a: 1 } },
      { name: 'note', content: 'é' },
    ]),
  ).toEqual([
    { heading: 'bull (Thesis.json, 12 bytes)', content: { a: 1 } },
    { heading: 'note (2 bytes)', content: 'é' },
  ]);
});

test('a placeholder for something unknown has no size', () => {
  expect(shownInputs([{ name: 'bull', content: '⟨bull⟩', isStandIn: true }])).toEqual([{ heading: 'bull', content: '⟨bull⟩' }]);
});

test('a text that is too long ends with a whole line, and the note says how much is shown and where the rest is', () => {
  const text = line(1000).repeat(100);
  const [shown] = shownInputs([{ name: 'log', content: text, step: 'dig' }], 'tool');
  expect(shown?.note).toContain(`${bytesOf(shown?.content ?? '')} of ${bytesOf(text)} bytes`);
  expect(shown?.note).toContain('read_artifact {"step":"dig"}');
  expect(text.startsWith(`${shown?.content}\n`)).toBe(true);
  expect(bytesOf(shown?.content ?? '')).toBeGreaterThan(INPUT_BYTES - 2000);
});

test.each(['é', '€', '😀'])('one endless line is cut between characters: %s', (character) => {
  const text = `a${character.repeat(INPUT_BYTES)}`;
  const [shown] = shownInputs([{ name: 'log', content: text }]);
  expect(text.startsWith(textOf(shown?.content ?? ''))).toBe(true);
  expect(bytesOf(shown?.content ?? '')).toBeGreaterThan(INPUT_BYTES - 8);
  expect(bytesOf(shown?.content ?? '')).toBeLessThanOrEqual(INPUT_BYTES);
});

test('JSON stays JSON: what is long in it is shortened, and says by how much', () => {
  const content = { title: 'kept', rows: Array.from({ length: 5000 }, (_, i) => ({ i, text: 'word '.repeat(10) })) };
  const [shown] = shownInputs([{ name: 'table', content }]);
  const cut = shown?.content as { title: string; rows: Json[] };
  expect(cut.title).toBe('kept');
  expect(cut.rows[0]).toEqual(content.rows[0]);
  expect(cut.rows.at(-1)).toMatch(new RegExp(`${5000 - cut.rows.length + 1} more of 5000 items`));
  expect(bytesOf(cut)).toBeLessThanOrEqual(INPUT_BYTES);
});

test('a long text within JSON is shortened, too', () => {
  const [shown] = shownInputs([{ name: 'one', content: { body: 'y'.repeat(100_000), after: 1 } }]);
  expect(shown?.content).toEqual({ body: expect.stringMatching(/^y{8000}… \(92000 more characters\)$/), after: 1 });
});

test('JSON that no shortening makes fit is cut by lines', () => {
  const tree = (depth: number): Json => (depth === 0 ? 'leaf' : Array.from({ length: 4 }, () => tree(depth - 1)));
  const [shown] = shownInputs([{ name: 'tree', content: tree(9) }]);
  expect(bytesOf(shown?.content ?? '')).toBeLessThanOrEqual(INPUT_BYTES);
  expect(shown?.note).toBeDefined();
});

test('many inputs share the room: small ones are whole, and large ones get as much as each other', () => {
  const large = line(100).repeat(2000);
  const inputs = [{ name: 'small', content: 'tiny' }, ...Array.from({ length: 6 }, (_, i) => ({ name: `large${i}`, content: large }))];
  const [small, ...others] = shownInputs(inputs);
  expect(small?.note).toBeUndefined();
  const sizes = others.map(({ content }) => bytesOf(content));
  expect(new Set(sizes).size).toBe(1);
  expect(sizes.reduce((sum, size) => sum + size, 4)).toBeLessThanOrEqual(INPUTS_BYTES);
  expect(sizes.reduce((sum, size) => sum + size, 4)).toBeGreaterThan(INPUTS_BYTES - 1000);
});

test('the same inputs give the same text', () => {
  const inputs = [
    { name: 'a', content: { rows: Array.from({ length: 9000 }, (_, i) => `row ${i}`) } },
    { name: 'b', content: line(70_000) },
  ];
  expect(shownInputs(inputs, 'tool')).toEqual(shownInputs(structuredClone(inputs), 'tool'));
});

describe('where the whole is', () => {
  const inputs = [
    { name: 'fits', content: 'x' },
    { name: '../odd name', content: line(100).repeat(1000) },
  ];
  const noteFor = (whole?: 'tool' | 'file') => shownInputs(inputs, whole)[1]?.note;

  it('is a file for an agent with tools of its own, which is what is laid out', () => {
    const files = inputFiles(inputs);
    expect(files).toEqual([{ path: `${INPUTS_FOLDER}/2--odd-name.txt`, text: inputs[1]?.content }]);
    expect(noteFor('file')).toContain(files[0]?.path);
  });

  it('is what the tool lists, if the input is no whole output', () => {
    expect(noteFor('tool')).toContain('`read_artifact {}`');
  });

  it('is nowhere else, and the note promises nothing', () => {
    expect(noteFor()).not.toMatch(/read_artifact|file/);
  });
});
