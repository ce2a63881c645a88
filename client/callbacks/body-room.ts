import { CallbackRefused } from './refusal';

/** Bytes of bodies that are held at once, over all requests that take from it. */
const MOST_BYTES = 32 * 1024 * 1024;
const RETRY_S = 1;

/**
 * Memory for large bodies. A body takes of it what has arrived, so that many slow senders hold no more than they have sent; beyond the
 * limit a request is refused and its sender sends it again.
 */
export class BodyRoom {
  private held = 0;

  constructor(private readonly most = MOST_BYTES) {}

  /**
   * Reads the body and does the work with it; the memory is held until the work is done. Throws `CallbackRefused` 413 as soon as the body
   * is too large, 408 if it is cut short, 503 if there is no room.
   */
  async with<T>(request: Request, maxBytes: number, work: (body: Buffer) => Promise<T>): Promise<T> {
    const said = Number(request.headers.get('content-length') ?? 0);
    if (said > maxBytes) throw tooLarge(maxBytes);
    const taken = { bytes: 0 };
    try {
      return await work(await this.read(request, maxBytes, taken));
    } finally {
      this.held -= taken.bytes;
    }
  }

  private async read(request: Request, maxBytes: number, taken: { bytes: number }): Promise<Buffer> {
    const reader = request.body?.getReader();
    const pieces: Uint8Array[] = [];
    for (;;) {
      const piece = await reader?.read().catch(() => {
        throw new CallbackRefused(408, 'the body did not arrive completely');
      });
      if (piece?.value === undefined) return Buffer.concat(pieces);
      taken.bytes += piece.value.byteLength;
      this.held += piece.value.byteLength;
      if (taken.bytes > maxBytes) throw tooLarge(maxBytes);
      if (this.held > this.most) throw new CallbackRefused(503, 'too much is sent at once; try again in a moment', RETRY_S);
      pieces.push(piece.value);
    }
  }
}

function tooLarge(maxBytes: number): CallbackRefused {
  return new CallbackRefused(413, `the body is larger than ${maxBytes} bytes`);
}
