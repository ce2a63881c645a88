import { deflateRawSync } from 'node:zlib';
import { PACKED_LAST, PACKED_MORE, PACKED_WITH_WORDS, PACKING_WORDS } from '../../plan/run/packed-part';
import { jsonText } from '../../plan/text/json-text';
import { unpacked, unpackedWhole } from '../../workflows/interpreter/state/unpack';

const part = (head: number, content: Uint8Array): Uint8Array => Buffer.concat([Uint8Array.of(head), content]);

async function noMore(): Promise<never> {
  throw new TypeError('no more parts are there');
}

const value = { list: Array.from({ length: 500 }, (_, i) => ({ id: `step-${i}`, name: 'é'.repeat(i % 7) })) };
const text = Buffer.from(JSON.stringify(value));

describe('JSON in packed parts', () => {
  it.each([1, 2, 5])('is read from %d parts, a character that two of them share included', async (count) => {
    const size = Math.ceil(text.length / count);
    const next = async (from: number) =>
      part(from + size < text.length ? PACKED_MORE : PACKED_LAST, deflateRawSync(text.subarray(from, from + size)));
    expect(await unpacked(await next(0), next)).toEqual(value);
  });

  it('is read with the words that it was packed with', async () => {
    const words = Buffer.from(PACKING_WORDS);
    const known = { plan: { irVersion: 2, name: 'a', block: { order: 'sequence', steps: [{ id: 's1', kind: 'command' }] } } };
    const packed = deflateRawSync(Buffer.from(JSON.stringify(known)), { dictionary: words });
    expect(await unpacked(part(PACKED_WITH_WORDS, packed), noMore)).toEqual(known);
  });

  it('keeps numbers as they were written', async () => {
    const written = '{"n":1.10,"long":1234567890123456789}';
    const packed = part(PACKED_LAST, deflateRawSync(Buffer.from(written)));
    expect([jsonText(await unpacked(packed, noMore)), jsonText(unpackedWhole(packed))]).toEqual([written, written]);
  });

  it('fails with `internal` if a part ends early', async () => {
    const packed = deflateRawSync(text);
    for (let length = 0; length < packed.length; length += 13) {
      await expect(unpacked(part(PACKED_LAST, packed.subarray(0, length)), noMore)).rejects.toMatchObject({ code: 'internal' });
    }
  });

  it('fails with `internal`, or reads as other JSON, if a byte is another', async () => {
    const packed = deflateRawSync(text);
    for (let at = 0; at < packed.length; at++) {
      const garbled = Buffer.from(packed);
      garbled[at] = (garbled[at] ?? 0) ^ (1 << (at % 8));
      const read = await unpacked(part(PACKED_LAST, garbled), noMore).catch((error: unknown) => error);
      if (read instanceof Error) expect(read).toMatchObject({ code: 'internal' });
    }
  });

  it('fails with `internal` if a part of many is empty', async () => {
    await expect(unpacked(part(PACKED_MORE, deflateRawSync(Buffer.alloc(0))), noMore)).rejects.toMatchObject({ code: 'internal' });
  });
});
