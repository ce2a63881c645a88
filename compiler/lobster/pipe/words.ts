/**
 * Splits the text of a Lobster pipe into the words of its stages. Pure: it does not interpret the words.
 *
 * Invariants: 1. `|` divides stages, blanks and line ends divide words, neither within quotes; 2. text next to quotes belongs to the same
 * word, and empty quotes make an empty word; 3. within `'…'` only `\'` is an escape, within `"…"` only `\"`, `\\`, `\$`, `` \` `` and a
 * line end: a backslash anywhere else is a backslash, so that JSON keeps its own; 4. a pipe may end in `|`, but no stage before another may
 * be empty.
 */
export interface PipeWord {
  text: string;
  /** Offset in the text of the pipe, quotes included; end-exclusive. */
  start: number;
  end: number;
}

export interface PipeFault {
  start: number;
  end: number;
  message: string;
  hint: string;
}

type Read = { stages: PipeWord[][]; fault?: undefined } | { fault: PipeFault };

const BLANK = /[ \t\r\n]/;
const ESCAPED: Readonly<Record<string, string>> = { "'": "'", '"': '"\\$`' };

export function pipeWords(pipe: string): Read {
  const stages: PipeWord[][] = [];
  let words: PipeWord[] = [];
  let at = 0;
  const emptyStage = (): Read => {
    const nothing = pipe.trim() === '';
    const message = nothing ? 'Empty pipeline' : 'Empty command stage';
    return { fault: { start: Math.min(at, Math.max(0, pipe.length - 1)), end: at + 1, message, hint: 'write a stage, such as `json`' } };
  };
  while (at < pipe.length) {
    const char = pipe[at] ?? '';
    if (char === '|') {
      if (words.length === 0) return emptyStage();
      stages.push(words);
      words = [];
      at++;
    } else if (BLANK.test(char)) at++;
    else {
      const word = readWord(pipe, at);
      if ('message' in word) return { fault: word };
      words.push(word);
      at = word.end;
    }
  }
  if (words.length > 0) stages.push(words);
  return stages.length === 0 ? emptyStage() : { stages };
}

/** The word that begins at `start` and ends at the next blank or `|` outside quotes. */
function readWord(pipe: string, start: number): PipeWord | PipeFault {
  let text = '';
  let at = start;
  while (at < pipe.length) {
    const char = pipe[at] ?? '';
    if (char === '|' || BLANK.test(char)) break;
    if (char !== '"' && char !== "'") {
      text += char;
      at++;
      continue;
    }
    const quoted = readQuoted(pipe, at, char);
    if (!quoted)
      return { start: at, end: at + 1, message: 'Unclosed quote', hint: `close it with \`${char}\`, or write \`\\${char}\` within quotes` };
    text += quoted.text;
    at = quoted.end;
  }
  return { text, start, end: at };
}

function readQuoted(pipe: string, open: number, quote: string): { text: string; end: number } | undefined {
  let text = '';
  for (let at = open + 1; at < pipe.length; at++) {
    const char = pipe[at] ?? '';
    if (char === quote) return { text, end: at + 1 };
    const next = pipe[at + 1] ?? '';
    if (char !== '\\' || next === '') text += char;
    else if (quote === '"' && next === '\n') at++;
    else if (ESCAPED[quote]?.includes(next)) {
      text += next;
      at++;
    } else text += char;
  }
  return undefined;
}
