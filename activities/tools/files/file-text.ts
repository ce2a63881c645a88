import { decodeText, utf16Of } from '../../../plan/text/decode-text';
import { ToolRefusal } from '../../tool-ports';

/** The limit of each file that is read, searched or written. */
export const FILE_BYTES = 4 * 1024 * 1024;

export interface FileText {
  text: string;
  /** Bytes that are no UTF-8 are in it as `�`. */
  isBroken: boolean;
  /** It was decoded from UTF-16, in which nothing is written here. */
  isUtf16?: true;
}

/** Undefined if it is no text. */
export function readText(content: Buffer): FileText | undefined {
  const isUtf16 = utf16Of(content) !== undefined;
  if (!isUtf16 && content.includes(0)) return undefined;
  const { text, problem } = decodeText(content);
  return { text, isBroken: problem !== undefined, ...(isUtf16 ? { isUtf16 } : {}) };
}

export function requireText(path: string, content: Buffer): FileText {
  const read = readText(content);
  if (!read) throw new ToolRefusal(`${JSON.stringify(path)} is not text: it contains NUL bytes (${content.byteLength} bytes in all)`);
  return read;
}

export function requireSize(text: string): void {
  requireBytes(Buffer.byteLength(text));
}

export function requireBytes(sizeBytes: number): void {
  if (sizeBytes > FILE_BYTES) throw new ToolRefusal(`a file may have at most ${FILE_BYTES} bytes; this one would have ${sizeBytes}`);
}

/** A name on one line, unquoted unless something in it would make it look like another. */
export function shownName(path: string): string {
  return /[\p{Cc}\p{Zl}\p{Zp}"]/u.test(path) ? JSON.stringify(path) : path;
}

/** The lines without the empty one that a newline at the end leaves. */
export function linesOfText(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
