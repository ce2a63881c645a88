import type { CompletionSource } from './completion/completion-source';
import { usage } from './exit';
import type { Terminal } from './terminal';

/**
 * What a command is: data for the parser, help and completion, and a module that is loaded only when the command is
 * called, so that `--version` and `validate` never pay for what `run` needs.
 */
export interface CommandSpec {
  /** `run`, or `schedule apply`: a noun and a verb. */
  name: string;
  summary: string;
  /** Arguments in commander's notation: `<run>`, `[step]`, `<files...>`. */
  arguments?: readonly ArgumentSpec[];
  options?: readonly OptionSpec[];
  /** The command parses its own words, flags included. */
  raw?: true;
  /** The command line after `thermidor`. */
  examples: readonly string[];
  load(): CommandModule;
}

export interface ArgumentSpec {
  form: string;
  doc: string;
  /** What shells complete it with. */
  completes?: CompletionSource;
}

export interface OptionSpec {
  /** `--script <name>`; a flag has no `<value>`. */
  flags: string;
  doc: string;
  choices?: readonly string[];
  /** What shells complete its value with, if there are no choices. */
  completes?: CompletionSource;
  /** May be given several times. */
  repeated?: true;
}

export interface CommandModule {
  /** Answers with the exit code. */
  execute(invocation: Invocation): Promise<number>;
}

export interface Invocation {
  /** Arguments in order; the values of a variadic one follow one another. */
  args: readonly string[];
  options: Options;
  terminal: Terminal;
  /** Every command, for what is generated from them. */
  catalogue: { commands: readonly CommandSpec[]; nouns: Readonly<Record<string, string>> };
}

/** Parsed options, read by name and checked for type. */
export class Options {
  constructor(private readonly values: Readonly<Record<string, unknown>>) {}

  flag(name: string): boolean {
    return this.values[name] === true;
  }

  /** Whether a flag `--no-NAME` is given. */
  isOff(name: string): boolean {
    return this.values[name] === false;
  }

  text(name: string): string | undefined {
    const value = this.values[name];
    return typeof value === 'string' ? value : undefined;
  }

  list(name: string): string[] {
    const value = this.values[name];
    return Array.isArray(value) ? value.map(String) : [];
  }

  /** A whole number from `least` upwards. */
  number(name: string, least = 0): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (!Number.isSafeInteger(value) || value < least) throw usage(`--${kebab(name)} must be a whole number from ${least}, got "${text}"`);
    return value;
  }
}

/** `argsJson` → `args-json` */
function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
