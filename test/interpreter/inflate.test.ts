import { constants, deflateRawSync } from 'node:zlib';
import { inflate } from '../../workflows/interpreter/state/inflate';

/** A generator with a seed: a failure is the same again. */
function randomly(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function textOf(random: () => number, length: number): Buffer {
  const words = Array.from({ length: 40 }, () => Math.floor(random() * 1e9).toString(36));
  const parts: string[] = [];
  for (let size = 0; size < length; size += 7) parts.push(random() < 0.7 ? (words[Math.floor(random() * 40)] ?? '') : `{"é":${random()}}`);
  return Buffer.from(parts.join('')).subarray(0, length);
}

describe('what is packed in a workflow’s history', () => {
  it.each([0, 1, 2, 300, 70_000, 1_500_000])('is unpacked as it was: %d bytes, however they were packed', (length) => {
    const random = randomly(length + 1);
    const noise = Buffer.from(Array.from({ length: Math.min(length, 200_000) }, () => Math.floor(random() * 256)));
    for (const content of [textOf(random, length), noise, Buffer.alloc(length, 'a')]) {
      for (const options of [{}, { level: 0 }, { level: 9 }, { strategy: constants.Z_FIXED }, { strategy: constants.Z_HUFFMAN_ONLY }]) {
        expect(Buffer.from(inflate(deflateRawSync(content, options))).equals(content)).toBe(true);
      }
    }
  });

  it('is refused where it ends early or is garbled, and never runs on', () => {
    const random = randomly(7);
    const packed = deflateRawSync(textOf(random, 5000));
    for (let length = 0; length < packed.length; length += 13) {
      expect(() => inflate(packed.subarray(0, length))).toThrow(RangeError);
    }
    for (let round = 0; round < 300; round++) {
      const garbled = Buffer.from(packed);
      garbled[Math.floor(random() * garbled.length)] = Math.floor(random() * 256);
      // Some changes are read as another content: there is no sum to check.
      try {
        expect(inflate(garbled).length).toBeLessThan(10_000_000);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }
  });
});
