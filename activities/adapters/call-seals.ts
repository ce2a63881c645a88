import { createHmac, timingSafeEqual } from 'node:crypto';
import { callText, type MarkedCall } from '../../plan/run/call-seal';
import type { CallSeals } from '../ports';

/** Enough against guessing, which takes a call each; every step's history has one. */
const SEAL_BYTES = 16;

/** Seals with a key that only the workers of one state folder have. */
export class KeyedCallSeals implements CallSeals {
  private read: Promise<Buffer> | undefined;

  constructor(private readonly key: () => Promise<Buffer>) {}

  async seal(call: MarkedCall, inputJson: string): Promise<string> {
    return (await this.macOf(call, inputJson)).toString('base64url');
  }

  async isOurs(call: MarkedCall, inputJson: string, seal: string): Promise<boolean> {
    const given = Buffer.from(seal, 'base64url');
    const wanted = await this.macOf(call, inputJson);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }

  private async macOf(call: MarkedCall, inputJson: string): Promise<Buffer> {
    return createHmac('sha256', await this.known())
      .update(callText(call, inputJson))
      .digest()
      .subarray(0, SEAL_BYTES);
  }

  /** The key, which is read once. If its folder is away, the key is read again later. */
  private async known(): Promise<Buffer> {
    this.read ??= this.key();
    try {
      return await this.read;
    } catch (error) {
      this.read = undefined;
      throw error;
    }
  }
}
