import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Item } from '../../../activities/stages/items/item';
import { failureOf, scratchFolder } from '../workshop';
import { out, ports, stage } from './pipe';

const ITEM: Item = {
  name: ' Ada Lovelace ',
  n: 2.345,
  list: ['a', 'b'],
  none: null,
  deep: { er: [{ x: 1 }] },
  at: '2026-11-21T07:30:05Z',
  ms: '1710000000000',
};

async function filled(text: string, item: Item = ITEM): Promise<unknown> {
  return ((await out([item], stage('template', { text }))) as unknown[])[0];
}

describe('a template', () => {
  test.each([
    ['{{n}} {{deep.er}} {{deep.er.0.x}} {{ none }}|{{nowhere.at.all}}|', '2.345 [{"x":1}] 1 ||'],
    ['{{.}}', JSON.stringify(ITEM)],
    ['{{this}}', JSON.stringify(ITEM)],
    ['{{list.length}} {{list.1}} {{name.length}}', '2 b 14'],
    ['{{}} {{a}b}} {{ {{n', '{{}} {{a}b}} {{ {{n'],
    ['{{{n}}}', '}'],
    ['{{constructor}}{{__proto__}}', ''],
  ])('fills %s', async (text, expected) => {
    expect(await filled(text)).toBe(expected);
  });

  test.each([
    ['{{name | upper}}', ' ADA LOVELACE '],
    ['{{name|trim|lower}}', 'ada lovelace'],
    ['{{name | trim | truncate 3}}', 'Ada...'],
    ['{{name | trim | truncate 80}}', 'Ada Lovelace'],
    ['{{name | trim | replace "a" "-"}}', 'Ad- Lovel-ce'],
    ["{{name | trim | replace ' ' '_'}}", 'Ada_Lovelace'],
    ['{{name | trim | split " " | last}}', 'Lovelace'],
    ['{{name | split "|" | first}}', ' Ada Lovelace '],
    ['{{list | join}} {{list | join "\\"-"}}', 'a, b a"-b'],
    ['{{list | length}} {{name | length}} {{n | length}}', '2 14 0'],
    ['{{list | first}}{{list | last}}{{n | first}}', 'ab2.345'],
    ['{{deep | json}}', JSON.stringify({ er: [{ x: 1 }] }, null, 2)],
    ['{{n | string}} {{deep | string}}', '2.345 [object Object]'],
    ['{{none | default "N/A"}} {{n | default x}}', 'N/A 2.345'],
    ['{{n | round}} {{n | round 1}} {{name | round}}', '2 2.3  Ada Lovelace '],
    ['{{at | date}}', '2026-11-21T07:30:05.000Z'],
    ['{{at | date "DD.MM.YYYY HH:mm:ss"}} {{ms | date YYYY-MM-DD}} {{name | date}}', '21.11.2026 07:30:05 2024-03-09  Ada Lovelace '],
  ])('applies %s', async (text, expected) => {
    expect(await filled(text)).toBe(expected);
  });

  test('comes from a flag, from a file, or from the words', async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'draft.txt'), 'file {{.}}');
    expect(await out([1], stage('template', 'word', '{{.}}'))).toEqual(['word 1']);
    expect(await out([1, 2], stage('template', { file: 'draft.txt' }), ports({}, { filesFrom: folder }))).toEqual(['file 1', 'file 2']);
  });

  test('fails on a filter, a file or a text that is not there', async () => {
    expect(await failureOf(filled('{{n | nope}}'))).toMatchObject({ code: 'stage.failed', details: { filter: 'nope' } });
    for (const call of [stage('template'), stage('template', { file: '/no/such/file' })]) {
      const failure = await failureOf(out([1], call));
      expect([failure.code, failure.message.startsWith('template')]).toEqual(['stage.failed', true]);
    }
  });

  test('fails if its output grows over the limit', async () => {
    const small = ports({}, { limitBytes: 1000 });
    expect((await failureOf(out(['x'.repeat(600), 'y'], stage('template', '{{.}}{{.}}'), small))).code).toBe('output.too-large');
    const exploding = `{{. | ${Array.from({ length: 40 }, () => 'replace "x" "xxxxxxxxxx"').join(' | ')}}}`;
    expect((await failureOf(out(['x'], stage('template', exploding)))).code).toBe('output.too-large');
  });

  test('reads unclosed braces in linear time', async () => {
    expect(await out(['x'], stage('template', { text: `${'{{'.repeat(100_000)}}` }))).toHaveLength(1);
  });
});
