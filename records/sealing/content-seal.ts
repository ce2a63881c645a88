import { ThermidorFailure } from '../../plan/run/failure';
import { contentDigest } from '../stored-content';
import { KEY_MARK, KeyRing, SEAL_BYTES } from './key-ring';

const HEAD = new RegExp(`^thermidor-sealed (${KEY_MARK.source})\n`);
const HEAD_BYTES = 128;

/**
 * How a store of content keeps it: as it is, or sealed. Its name is the digest of the plain content either way, because references to it
 * are in histories and outlast every key. Equal content is sealed alike, so a store sees by its bytes whether it has to write anything.
 */
export class ContentSeal {
  /** @param kind what the content may be read as: that of one kind opens as no other */
  constructor(
    private readonly ring: KeyRing = new KeyRing(),
    private readonly kind: string = 'output',
  ) {}

  get isOn(): boolean {
    return this.ring.use !== undefined;
  }

  /** By how much content grows at most. */
  get growsBytes(): number {
    return this.isOn ? HEAD_BYTES + SEAL_BYTES : 0;
  }

  seal(content: Buffer, sha256: string): Buffer {
    const { ring } = this;
    return ring.use === undefined
      ? content
      : Buffer.concat([Buffer.from(`thermidor-sealed ${ring.use}\n`), ring.seal(content, this.place(), sha256)]);
  }

  /** The content of that digest; undefined if it is damaged. Fails with `encryption.key-missing`. */
  async open(stored: Buffer, sha256: string): Promise<Buffer | undefined> {
    const mark = markOf(stored);
    if (mark === undefined) return (await contentDigest(stored)) === sha256 ? stored : undefined;
    try {
      const content = this.ring.open(mark, stored.subarray(stored.indexOf('\n') + 1), this.place());
      if (content && (await contentDigest(content)) === sha256) return content;
    } catch (error) {
      // Content that nobody has sealed may begin like this.
      if ((await contentDigest(stored)) !== sha256) throw error;
    }
    return (await contentDigest(stored)) === sha256 ? stored : undefined;
  }

  /** Whether it is that content, and kept as it would be kept now. */
  async isWhole(stored: Buffer, sha256: string): Promise<boolean> {
    if (this.isOn && markOf(stored) !== this.ring.use) return false;
    try {
      return (await this.open(stored, sha256)) !== undefined;
    } catch (error) {
      if (error instanceof ThermidorFailure) return false;
      throw error;
    }
  }

  private place(): string {
    return `an artifact\n${this.kind}`;
  }
}

function markOf(stored: Buffer): string | undefined {
  return HEAD.exec(stored.toString('latin1', 0, HEAD_BYTES))?.[1];
}
