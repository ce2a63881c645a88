import { createHash } from 'node:crypto';
import { loadState, saveState } from '../../activities/run/run-state';
import { textParts } from '../../activities/stored/text-parts';
import type { ControlRef } from '../../plan/run/artifact';
import { PART_TEXT_LIMIT_BYTES, type PackedPart } from '../../plan/run/packed-part';
import type { Json } from '../../plan/text/json';
import { unpacked } from '../../workflows/interpreter/state/unpack';
import { codeOf, KEY, type Workshop, workshop } from './workshop';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
const records = Object.fromEntries(
  Array.from({ length: 30_000 }, (_, i) => [
    `step-${i}`,
    { state: 'done', said: '😀é'.repeat(i % 9), artifact: { sha256: digest(String(i)) } },
  ]),
);
const STATE = { opened: { args: {} }, state: { records, signals: {} } };

async function load({ toolbox }: Workshop, ref: ControlRef<'snapshot'>, asked: (from: number, part: PackedPart) => void): Promise<Json> {
  const next = async (from: number): Promise<PackedPart> => {
    const part = await loadState(toolbox, KEY, { run: KEY.run, ref, from });
    if (!(part instanceof Uint8Array)) throw new TypeError('it is not packed');
    asked(from, part);
    return part;
  };
  return unpacked(await next(0), next);
}

describe('a large state', () => {
  test('comes in answers of a bounded text, each of which reads the parts that it is about and no other', async () => {
    const shop = workshop();
    const ref = await saveState(shop.toolbox, KEY, { run: KEY.run, state: STATE });
    const get = jest.spyOn(shop.control, 'get');
    const reads: number[] = [];
    const froms: number[] = [];
    const state = await load(shop, ref, (from) => {
      reads.push(get.mock.calls.length);
      froms.push(from);
      get.mockClear();
    });
    expect(state).toEqual(STATE);
    expect(froms.length).toBeGreaterThan(2);
    for (const [i, from] of froms.slice(1).entries()) expect(from - (froms[i] ?? 0)).toBeLessThanOrEqual(PART_TEXT_LIMIT_BYTES);
    const parts = textParts(JSON.stringify(STATE)).length;
    // The list of parts is read each time, and a part that two answers share is read again.
    expect(reads.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(parts + 3 * froms.length);
    expect(Math.max(...reads)).toBeLessThan(parts);
  });

  test.each([
    ['a part has another size', ({ sizes, ...list }: { sizes: number[] }) => ({ ...list, sizes: sizes.map((size) => size + 1) })],
    ['sizes are missing', ({ sizes, ...list }: { sizes: number[] }) => ({ ...list, sizes: sizes.slice(1) })],
    ['a part is no reference', (list: object) => ({ ...list, parts: [7] })],
  ])('fails with `internal` where %s', async (_name, change) => {
    const shop = workshop();
    const ref = await saveState(shop.toolbox, KEY, { run: KEY.run, state: STATE });
    const list = JSON.parse((await shop.control.get(ref)).toString());
    jest.spyOn(shop.control, 'get').mockResolvedValueOnce(Buffer.from(JSON.stringify(change(list))));
    expect(await codeOf(loadState(shop.toolbox, KEY, { run: KEY.run, ref }))).toBe('internal');
  });

  test('has parts that are text by themselves: none ends within a character', () => {
    const text = '😀'.repeat(2_000_000);
    const parts = textParts(text);
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.join('')).toBe(text);
    for (const part of parts) expect(Buffer.from(part).toString()).toBe(part);
  });
});
