/** Text of authors and agents in a message of a service that has limits and interprets mark-up. */

export interface Fitted {
  text: string;
  /** Something was left out. */
  cut: boolean;
}

export const CUT_NOTE = '… (cut; `thermidor journal` has the whole text)';

/**
 * As much of a text as fits into `limit` UTF-16 units once each of its pieces is escaped. No piece is torn, so no escape and no character
 * of two units is.
 */
export function fittedText(pieces: Iterable<string>, limit: number, escaped: (piece: string) => string): Fitted {
  let text = '';
  for (const piece of pieces) {
    const next = escaped(piece);
    if (text.length + next.length > limit) return { text, cut: true };
    text += next;
  }
  return { text, cut: false };
}

/** Fits a text as `fittedText` does, and adds a note if something was left out; the note is within the limit and is not escaped. */
export function fittedWithNote(pieces: readonly string[], limit: number, escaped: (piece: string) => string, note: string): string {
  const whole = fittedText(pieces, limit, escaped);
  return whole.cut ? fittedText(pieces, limit - note.length, escaped).text + note : whole.text;
}

/** Whole lines, as many as fit: half a command is worse than none. */
function linesWithin(lines: readonly string[], limit: number): string[] {
  const kept: string[] = [];
  let length = 0;
  for (const line of lines) {
    if (length + line.length + 1 > limit) continue;
    kept.push(line);
    length += line.length + 1;
  }
  return kept;
}

/** Commands in a code block, if possible: a mark within one would end the block. */
export function codeBlock(commands: readonly string[], limit: number, escaped: (text: string) => string): string {
  const fence = '```';
  const lines = linesWithin(commands.filter((line) => !line.includes(fence)).map(escaped), limit - 2 * (fence.length + 1));
  return lines.length === 0 ? '' : `${fence}\n${lines.join('\n')}\n${fence}`;
}
