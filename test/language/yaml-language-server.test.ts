import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipelineSchema } from '../../compiler/language/json-schema';
import { scratchFolder } from '../support/scratch-folder';
import { Editor } from './editor';

const SERVER = require.resolve('yaml-language-server/bin/yaml-language-server');

const PIPELINES = join(__dirname, '..', '..', 'pipelines');

/** The position of `|` in a text, and the text without it. */
function atCursor(text: string): { text: string; line: number; character: number } {
  const before = text.slice(0, text.indexOf('|')).split('\n');
  return { text: text.replace('|', ''), line: before.length - 1, character: before[before.length - 1]?.length ?? 0 };
}

const REVIEW = `name: p
steps:
  - id: draft
    agent: writer
  - id: review
    type: review
    agent: editor
    of: draft
    on_|
`;

describe('an editor with yaml-language-server', () => {
  const folder = scratchFolder();
  let editor: Editor;
  beforeAll(async () => {
    const schema = join(folder, 'thermidor.schema.json');
    writeFileSync(schema, JSON.stringify(pipelineSchema()));
    editor = new Editor(SERVER);
    await editor.begin(schema);
  });
  afterAll(() => editor.close());

  it('completes on_revise in a review, and no key of a command', async () => {
    const { text, line, character } = atCursor(REVIEW);
    await editor.open('file:///review.yaml', text);
    const offered = await editor.complete('file:///review.yaml', line, character);
    expect(offered).toEqual(expect.arrayContaining(['on_revise', 'on_block', 'on_error']));
    expect(offered).not.toContain('argv');
  });

  it('completes keys in a step that nothing tells the kind of', async () => {
    const { text, line, character } = atCursor('name: p\nsteps:\n  - id: a\n    |\n');
    await editor.open('file:///bare.yaml', text);
    const offered = await editor.complete('file:///bare.yaml', line, character);
    expect(offered).toEqual(expect.arrayContaining(['agent', 'run', 'for_each', 'branches', 'notify', 'wait']));
  });

  it('flags an unknown key at its place, and nothing in a file without mistakes', async () => {
    const wrong = await editor.open('file:///wrong.yaml', 'name: p\nsteps:\n  - id: a\n    run: "true"\n    tiemout: 3s\n');
    expect(wrong.map(({ range }) => range.start)).toEqual([{ line: 4, character: 4 }]);
    expect(await editor.open('file:///right.yaml', 'name: p\nsteps:\n  - id: a\n    run: "true"\n    timeout: 3s\n')).toEqual([]);
  });

  const shipped = readdirSync(PIPELINES).filter((name) => name.endsWith('.yaml') && !name.endsWith('.test.yaml'));
  it.each(shipped)('finds nothing wrong with the shipped %s', async (name) => {
    expect(await editor.open(`file:///${name}`, readFileSync(join(PIPELINES, name), 'utf8'))).toEqual([]);
  });

  it('shows what a key means', async () => {
    await editor.open('file:///hover.yaml', 'name: p\nsteps:\n  - id: a\n    run: "true"\n    timeout: 3s\n');
    expect(await editor.hover('file:///hover.yaml', 4, 6)).toContain('How long one try may take');
  });
});
