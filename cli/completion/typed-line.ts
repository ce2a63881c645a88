/** A command line as the shell passes it, up to the cursor. */
export interface TypedLine {
  /** Whole words without their quotes; the first is the program. */
  words: string[];
  /** The typed part of the word at the cursor, without its quotes; empty at the beginning of a word. */
  current: string;
  /** The quote that is open at the cursor. */
  quote: '' | "'" | '"';
  /** How many characters of `current` the shell treats as an earlier word: `a:b` is two words to bash. */
  before: number;
}

/**
 * Splits as a shell does, up to the cursor: quotes, backslashes, blanks. `breaks` are characters at which the shell begins a new word
 * (bash's `COMP_WORDBREAKS`); completions then leave out the part before it.
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
