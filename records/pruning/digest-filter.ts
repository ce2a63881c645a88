import { randomInt } from 'node:crypto';

const WORDS = 8;
const PROBES = 4;

/**
 * Digests in bounded memory: it knows all that were added, and says the same of a few others, which are others the next time. Digests are
 * random, so their own bits say where they are. With ten million one in two hundred others counts as added.
 */
export class DigestFilter {
  private readonly bits: Uint8Array;
  private readonly first = randomInt(WORDS);

  /** @param sizeBytes a power of two */
  constructor(sizeBytes = 16 * 1024 * 1024) {
    this.bits = new Uint8Array(sizeBytes);
  }

  add(sha256: string): void {
    for (const at of this.places(sha256)) this.bits[at >>> 3] = (this.bits[at >>> 3] ?? 0) | (1 << (at & 7));
  }

  has(sha256: string): boolean {
    return this.places(sha256).every((at) => ((this.bits[at >>> 3] ?? 0) & (1 << (at & 7))) !== 0);
  }

  private places(sha256: string): number[] {
    const last = this.bits.byteLength * 8 - 1;
    return Array.from({ length: PROBES }, (_, n) => {
      const word = (this.first + n) % WORDS;
      return (Number.parseInt(sha256.slice(word * WORDS, (word + 1) * WORDS), 16) & last) >>> 0;
    });
  }
}
