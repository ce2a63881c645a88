import { streamDecoder } from '../../plan/text/decode-stream';
import type { StreamMask } from '../../plan/text/stream-masker';

/**
 * Lines of one stream, in UTF-8 or the encoding of its byte order mark. Otherwise bytes that are not UTF-8 become U+FFFD; a very long line
 * comes in pieces.
 */
export interface OutputLines {
  /** @param isLeftOut the piece is masked, so that secrets across it are known, and left out; the line before it ends there */
  push(chunk: Buffer, isLeftOut?: boolean): PieceOfOutput[];
  /** A line that is not finished yet, as far as it came. */
  unfinished(): PieceOfOutput[];
  hasUnfinished(): boolean;
  end(): PieceOfOutput[];
}

export interface PieceOfOutput {
  text: string;
  goesOn?: true;
}

/** The limit of one piece. */
const PIECE_CHARACTERS = 16 * 1024;

export function outputLines(mask: StreamMask): OutputLines {
  const decoder = streamDecoder();
  let rest = '';
  /** Whether the beginning of the line is out already. */
  let isOpen = false;

  function split(text: string): PieceOfOutput[] {
    const pieces: PieceOfOutput[] = [];
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [last = '', ...before] = inPieces(line.endsWith('\r') ? line.slice(0, -1) : line).reverse();
      pieces.push(...before.reverse().map(goingOn), { text: last });
      isOpen = false;
    }
    if (rest.length > PIECE_CHARACTERS) {
      const all = inPieces(rest);
      rest = all.pop() ?? '';
      pieces.push(...all.map(goingOn));
      isOpen = true;
    }
    return pieces;
  }

  return {
    push(chunk, isLeftOut = false) {
      const text = mask.push(decoder.write(chunk));
      if (!isLeftOut) return split(text);
      const cut = isOpen || rest !== '' ? [{ text: rest }] : [];
      rest = '';
      isOpen = false;
      return cut;
    },
    unfinished() {
      if (rest === '') return [];
      const piece = goingOn(rest);
      rest = '';
      isOpen = true;
      return [piece];
    },
    hasUnfinished: () => rest !== '',
    end() {
      const pieces = split(mask.push(decoder.end()) + mask.end());
      if (rest === '' && !isOpen) return pieces;
      const last = { text: rest };
      rest = '';
      isOpen = false;
      return [...pieces, last];
    },
  };
}

function goingOn(text: string): PieceOfOutput {
  return { text, goesOn: true };
}

/** At least one piece; no character of two units is cut. */
function inPieces(text: string): string[] {
  if (text.length <= PIECE_CHARACTERS) return [text];
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + PIECE_CHARACTERS);
    if (to < text.length && isFirstHalf(text.charCodeAt(to - 1))) to -= 1;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

function isFirstHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
