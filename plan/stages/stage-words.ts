/**
 * Splits the words of one stage into its name, words and flags. A flag takes the next word as its value, unless that is a flag too, as in
 * Lobster; the last of two wins.
 */
export interface StageWord {
  text: string;
  /** Put in by a run: no flag, whatever it says. */
  isValue?: true;
}

export interface StageWords<W extends StageWord> {
  name: W;
  words: W[];
  flags: Map<string, StageFlag<W>>;
  /** Flags after the command of an `exec` that `exec` does not have: they are words of that command. */
  handedOn: W[];
}

export interface StageFlag<W extends StageWord> {
  at: W;
  /** Absent: the flag is alone. */
  value?: W;
}

const EXEC_FLAGS: ReadonlySet<string> = new Set(['json', 'shell', 'stdin']);

/** @param afterEquals for a word such as `--n=3`, the part after the given place of `=` */
export function stageWords<W extends StageWord>(name: W, rest: readonly W[], afterEquals: (word: W, equals: number) => W): StageWords<W> {
  const found: StageWords<W> = { name, words: [], flags: new Map(), handedOn: [] };
  const isExec = name.text === 'exec';
  for (let i = 0; i < rest.length; i++) {
    const word = rest[i];
    if (!word) continue;
    if (!isFlag(word)) {
      found.words.push(word);
      continue;
    }
    const equals = word.text.indexOf('=');
    const flag = word.text.slice(2, equals < 0 ? undefined : equals);
    // `exec git log --oneline`: Lobster would take the flag as its own and drop it together with the next word.
    if (isExec && found.words.length > 0 && !EXEC_FLAGS.has(flag)) {
      found.words.push(word);
      found.handedOn.push(word);
      continue;
    }
    const next = rest[i + 1];
    if (equals >= 0) found.flags.set(flag, { at: word, value: afterEquals(word, equals) });
    else if (next && !isFlag(next) && !(isExec && flag === 'json')) {
      found.flags.set(flag, { at: word, value: next });
      i++;
    } else found.flags.set(flag, { at: word });
  }
  return found;
}

function isFlag({ text, isValue }: StageWord): boolean {
  return text.startsWith('--') && !isValue;
}
