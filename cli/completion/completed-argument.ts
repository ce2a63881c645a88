import type { CommandSpec, OptionSpec } from '../command';
import type { CompletionSource } from './completion-source';
import type { TypedLine } from './typed-line';

/** What is at the cursor: an argument of a command, or the value of one of its options. */
export interface CompletedArgument {
  completes: CompletionSource;
  /** The typed part of the value. */
  typed: string;
  /** The part of the same word before the value: `--by=`. */
  prefix: string;
  /** Arguments before it. */
  args: string[];
  /** Options on the line that have a value, by the name that the program reads them by. */
  options: Record<string, string>;
}

/** Undefined if nothing is looked up: for an unknown command, an option's name, a value that cannot be guessed. */
export function completedArgument({ words, current }: TypedLine, commands: readonly CommandSpec[]): CompletedArgument | undefined {
  const [, ...given] = words;
  const spec = commands.find(({ name }) => name.split(' ').every((word, i) => given[i] === word));
  if (spec === undefined) return undefined;
  const rest = given.slice(spec.name.split(' ').length);
  const args: string[] = [];
  const options: Record<string, string> = {};
  let awaited: OptionSpec | undefined;
  for (const word of rest) {
    const [flag = '', value] = splitOption(word);
    const option = (spec.options ?? []).find((one) => flagOf(one) === flag);
    if (awaited !== undefined) {
      options[keyOf(awaited)] = word;
      awaited = undefined;
    } else if (option === undefined) {
      if (!word.startsWith('-')) args.push(word);
    } else if (value !== undefined) options[keyOf(option)] = value;
    else if (takesValue(option)) awaited = option;
  }
  const found = (completes: CompletionSource | undefined, typed: string, prefix: string): CompletedArgument | undefined =>
    completes && { completes, typed, prefix, args, options };
  if (awaited !== undefined) return found(awaited.completes ?? awaited.choices, current, '');
  const [flag = '', value] = splitOption(current);
  const option = (spec.options ?? []).find((one) => takesValue(one) && flagOf(one) === flag);
  if (option !== undefined && value !== undefined) return found(option.completes ?? option.choices, value, `${flag}=`);
  if (current.startsWith('-')) return undefined;
  const declared = spec.arguments ?? [];
  const argument = declared[args.length] ?? (declared.at(-1)?.form.includes('...') ? declared.at(-1) : undefined);
  return found(argument?.completes, current, '');
}

/** `--by=ann` → `--by`, `ann` */
function splitOption(word: string): [string, string?] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}

export function flagOf({ flags }: OptionSpec): string {
  return flags.split(/[ ,]/)[0] ?? '';
}

export function takesValue({ flags }: OptionSpec): boolean {
  return flags.includes('<');
}

/** `--state-dir <folder>` → `stateDir`, as commander does. */
function keyOf(option: OptionSpec): string {
  return flagOf(option)
    .slice(2)
    .replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
