import { openText } from '../../../plan/text/visible-text';
import type { AttachedReport, ChannelMessage } from '../../channel-port';

/** What a gate shows, as much of it as a channel takes. */
export interface ShownPart {
  /** Escaped as the service needs it. */
  text: string;
  /** A note on what is left out, and where it is. */
  note?: string;
}

const FENCE = '```';
const DIFF = /^@@ -\d+(,\d+)? \+\d+(,\d+)? @@/m;
/** How much is reserved for the note. */
const NOTE_CHARACTERS = 300;

/** Undefined if the gate shows nothing but its question. @param limit in characters, the note included, after escaping */
export function shownPart(
  { shown, gate, command }: ShownText,
  limit: number,
  escaped: (character: string) => string = (character) => character,
): ShownPart | undefined {
  if (shown === undefined) return undefined;
  const whole = beginningOf(shown, limit, escaped);
  if (whole.used === shown.length) return { text: whole.text };
  const { text, used } = beginningOf(shown, limit - NOTE_CHARACTERS, escaped);
  const url = gate?.url;
  const line = command === undefined ? '`thermidor inbox` names the outputs' : `all of it: ${command}`;
  const rest = url === undefined || url.length > NOTE_CHARACTERS / 2 ? line : `all of it: ${url}`;
  return { text, note: `… ${shown.length - used} of ${shown.length} characters are left out; ${rest}` };
}

/** What the gate shows, in a code block: with the colours of a diff if it is one, and without the marks if the text contains some. */
export function shownBlock(message: ShownText, limit: number, way: Escapes): string {
  const isPlain = message.shown?.includes(FENCE) === true;
  const begin = isPlain ? '' : `${FENCE}${way.colours && DIFF.test(message.shown ?? '') ? 'diff' : ''}\n`;
  const end = isPlain ? '' : `\n${FENCE}`;
  const part = shownPart(message, limit - begin.length - end.length - 1, isPlain ? way.text : way.code);
  if (!part) return '';
  const block = part.text.trim() === '' ? '' : `${begin}${part.text}${end}`;
  return [block, ...(part.note === undefined ? [] : [part.note])].filter((text) => text !== '').join('\n');
}

/** A text sent with a message: what a gate shows, or a report. `command` is the command that shows all of it. */
interface ShownText extends Pick<ChannelMessage, 'shown' | 'gate'> {
  command?: string;
}

/** A report for a channel that takes no files. */
export function asShown({ text, command }: AttachedReport): ShownText {
  return { shown: openText(text), command };
}

/** The note on a report that is too large for its channel. */
export function leftOut({ name, text, command }: AttachedReport): string {
  return `${name} (${text.length} characters) is too large to be attached; ${command}`;
}

interface Escapes {
  /** Escapes a character within a code block. */
  code(character: string): string;
  text(character: string): string;
  /** The service colours a block by the language that it names. */
  colours: boolean;
}

function beginningOf(text: string, limit: number, escaped: (character: string) => string): { text: string; used: number } {
  const pieces: string[] = [];
  let length = 0;
  let used = 0;
  for (const character of text) {
    const piece = escaped(character);
    length += piece.length;
    if (length > limit) break;
    pieces.push(piece);
    used += character.length;
  }
  return { text: pieces.join(''), used };
}
