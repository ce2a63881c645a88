import { ARTIFACT_LIMIT_BYTES } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';

/** How much text is gathered before it becomes bytes. */
const GATHERED_CHARACTERS = 64 * 1024;

/**
 * JSON text put together from pieces, so that a large output is never in memory as values. Over the limit it fails with
 * `output.too-large` at once, whatever would still come.
 */
export class JsonPieces {
  private readonly chunks: Buffer[] = [];
  private gathered: string[] = [];
  private gatheredCharacters = 0;
  private sizeBytes = 0;

  constructor(private readonly step: string) {}

  add(text: string): void {
    this.sizeBytes += Buffer.byteLength(text);
    if (this.sizeBytes > ARTIFACT_LIMIT_BYTES) throw outputTooLargeFor(this.step, this.sizeBytes, ARTIFACT_LIMIT_BYTES);
    this.gathered.push(text);
    this.gatheredCharacters += text.length;
    if (this.gatheredCharacters > GATHERED_CHARACTERS) this.pack();
  }

  bytes(): Buffer {
    this.pack();
    return Buffer.concat(this.chunks);
  }

  private pack(): void {
    this.chunks.push(Buffer.from(this.gathered.join('')));
    this.gathered = [];
    this.gatheredCharacters = 0;
  }
}

export function outputTooLargeFor(step: string, sizeBytes: number, limitBytes: number): ThermidorFailure {
  const message = `the output of step "${step}" has at least ${sizeBytes} bytes; the store takes ${limitBytes}`;
  return new ThermidorFailure('output.too-large', message, { step, sizeBytes, limitBytes });
}
