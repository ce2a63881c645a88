import { decodeText } from '../../../plan/text/decode-text';
import type { PrintedBy } from '../../../records/step-logs';

/** A command's output as text. Loss is reported in the log of the step's output. @param what its name, as the subject of a sentence */
export function textOf(what: string, bytes: Buffer, onOutput: PrintedBy | undefined): string {
  const { text, problem } = decodeText(bytes);
  if (problem !== undefined) onOutput?.('note', Buffer.from(`thermidor: ${what} ${problem}\n`));
  return text;
}
