import type { PipeWord } from './words';

/**
 * The words of one stage → its name, words and flags. A flag takes the word behind it as its value, unless that is a flag too,
 * as Lobster has it; the last of two wins.
 */
export interface StageWords {
  name: PipeWord;
  words: PipeWord[];
  flags: Map<string, StageFlag>;
  /** Flags of an `exec`, behind its command, that `exec` does not have: they are words of that command. */
  handedOn: PipeWord[];
}

export interface StageFlag {
  at: PipeWord;
  /** Absent: the flag stands alone. */
  value?: PipeWord;
}

const EXEC_FLAGS: ReadonlySet<string> = new Set(['json', 'shell', 'stdin']);

export function stageWords(name: PipeWord, rest: readonly PipeWord[]): StageWords {
  const found: StageWords = { name, words: [], flags: new Map(), handedOn: [] };
  const isExec = name.text === 'exec';
  for (let i = 0; i < rest.length; i++) {
    const word = rest[i];
    if (!word) continue;
    if (!word.text.startsWith('--')) {
      found.words.push(word);
      continue;
    }
    const equals = word.text.indexOf('=');
    const flag = word.text.slice(2, equals < 0 ? undefined : equals);
    // `exec git log --oneline`: Lobster would take the flag for its own and drop it, and the word behind it too.
    if (isExec && found.words.length > 0 && !EXEC_FLAGS.has(flag)) {
      found.words.push(word);
      found.handedOn.push(word);
      continue;
    }
    const next = rest[i + 1];
    if (equals >= 0) found.flags.set(flag, { at: word, value: afterEquals(word, equals) });
    else if (next && !next.text.startsWith('--') && !(isExec && flag === 'json')) {
      found.flags.set(flag, { at: word, value: next });
      i++;
    } else found.flags.set(flag, { at: word });
  }
  return found;
}

function afterEquals(word: PipeWord, equals: number): PipeWord {
  const text = word.text.slice(equals + 1);
  // Where quotes stood within the word, its end is still right and its start is nearly so.
  return { text, start: Math.max(word.start, word.end - text.length), end: word.end };
}
