import { stripVTControlCharacters } from 'node:util';

/**
 * Text of agents and people on its way to a terminal.
 *
 * Invariant: nothing that came from outside can move the cursor, colour or hide what is shown: control characters,
 * escape sequences and marks that turn the direction of writing are taken out.
 */
const CONTROL = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|(?![\u{1f1e6}-\u{1f1ff}])\p{Emoji_Presentation}/gu;
/** Accents and the like are on the character before. */
const NARROW = /\p{M}/gu;

const ESCAPE = '\u001b';
const COLOR = new RegExp(`(${ESCAPE}\\[[0-9;]*m)`);
const RESET = `${ESCAPE}[0m`;

/** Text on one line: line breaks become spaces. */
export function oneLine(text: string): string {
  return stripVTControlCharacters(text).replace(/\s+/g, ' ').replace(CONTROL, '').trim();
}

/** Line breaks and tabs stay. */
export function manyLines(text: string): string {
  return stripVTControlCharacters(text)
    .split(/\r?\n/)
    .map((line) => line.replaceAll('\t', '  ').replace(CONTROL, ''))
    .join('\n');
}

/** Columns a text takes on a terminal, colours not counted. */
export function widthOf(text: string): number {
  const plain = stripVTControlCharacters(text);
  return [...plain].length + (plain.match(WIDE)?.length ?? 0) - (plain.match(NARROW)?.length ?? 0);
}

/** Cuts plain text to a number of columns; `…` replaces the rest. */
export function truncate(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = '';
  for (const character of text) {
    if (widthOf(kept) + widthOf(character) > columns - 1) break;
    kept += character;
  }
  return columns < 1 ? '' : `${kept}…`;
}

/** Cuts text that has our own colours in it, which end at the cut. */
export function truncateColored(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  if (!COLOR.test(text)) return truncate(text, columns);
  let kept = '';
  let room = columns - 1;
  for (const piece of text.split(COLOR)) {
    if (COLOR.test(piece)) kept += piece;
    else {
      const part = widthOf(piece) <= room ? piece : truncate(piece, room + 1).slice(0, -1);
      kept += part;
      room -= widthOf(part);
      if (part !== piece) break;
    }
  }
  return `${kept}…${RESET}`;
}

/** Fills up with spaces, colours not counted. */
export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}
