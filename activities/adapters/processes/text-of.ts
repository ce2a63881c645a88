import { decodeText } from '../../../plan/text/decode-text';
import type { PrintedBy } from '../../../records/step-logs';

/** What a command has left as text. What is lost of it is said where the step's output is logged. @param what it is, as the subject of a sentence */
export function textOf(what: string, bytes: Buffer, onOutput: PrintedBy | undefined): string {
  const { text, problem } = decodeText(bytes);
  if (problem !== undefined) onOutput?.('note', Buffer.from(`thermidor: ${what} ${problem}\n`));
  return text;
}
