/** A command line as a shell has it under the cursor. */
export interface TypedLine {
  /** Whole words, without their quotes, the first of them the program. */
  words: string[];
  /** What of the word under the cursor is typed, without its quotes; empty where it begins. */
  current: string;
  /** The quote that is open at the cursor. */
  quote: '' | "'" | '"';
  /** How many characters of `current` the shell takes for a word before the one that it completes: `a:b` is two words to bash. */
  before: number;
}

/**
 * Splits as a shell does, up to the cursor: quotes, backslashes, blanks. `breaks` are characters at which the shell begins a new word of
 * its own (bash's `COMP_WORDBREAKS`); the rest of the program's word is not among what is completed.
 */
export function readTypedLine(line: string, breaks = ''): TypedLine {
  const words: string[] = [];
  let current = '';
  let before = 0;
  let quote: TypedLine['quote'] = '';
  let begun = false;
  for (let i = 0; i < line.length; i++) {
    const character = line[i] ?? '';
    if (character === '\\' && quote !== "'") {
      current += line[++i] ?? '';
      begun = true;
    } else if (quote !== '') {
      if (character === quote) quote = '';
      else current += character;
    } else if (character === "'" || character === '"') {
      quote = character;
      begun = true;
    } else if (/\s/.test(character)) {
      if (begun) words.push(current);
      [current, before, begun] = ['', 0, false];
    } else {
      current += character;
      begun = true;
      if (breaks.includes(character)) before = current.length;
    }
  }
  return { words, current, quote, before: quote === '' ? before : 0 };
}
