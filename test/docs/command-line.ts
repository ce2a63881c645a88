import { CommanderError } from 'commander';
import { buildProgram } from '../../cli/program';
import type { Block } from './block';
import { kindOf } from './block-kind';

/** A command line that a page gives to be typed, as words; quotes are taken off. */
export interface CommandLine {
  block: Block;
  words: string[];
}

/** The command lines of a block that is typed or captured; none for other blocks. */
export function commandLinesOf(block: Block): CommandLine[] {
  const kind = kindOf(block)?.kind;
  if (kind !== 'commands' && kind !== 'capture') return [];
  const typed = kind === 'commands' ? [block.text] : [...block.text.matchAll(/^\$ (.+)$/gm)].map(([, line = '']) => line);
  return typed.flatMap(commandsOf).map((words) => ({ block, words }));
}

/**
 * The commands of a shell text, one after the other: a pipe and a list are several. Assignments before a command, comments and redirections
 * are dropped. `$(…)` is a word like another.
 */
export function commandsOf(text: string): string[][] {
  const commands: string[][] = [];
  let words: string[] = [];
  const end = (): void => {
    words = words.filter((word, i) => !isRedirection(word) && !isRedirection(words[i - 1]));
    const named = words.slice(words.findIndex((word) => !/^\w+=/.test(word)));
    if (words.some((word) => !/^\w+=/.test(word))) commands.push(named);
    words = [];
  };
  for (const [token] of text
    .replaceAll('\\\n', ' ')
    .matchAll(/\n|[|;&]+|(?<=^|\s)#[^\n]*|(?:\$\([^)]*\)|"(?:\$\([^)]*\)|[^"])*"|'[^']*'|[^\s|;&])+/g)) {
    if (/^[\n|;&]/.test(token)) end();
    else if (!token.startsWith('#')) words.push(token.replaceAll(/(['"])(.*?)\1/gs, '$2'));
  }
  end();
  return commands;
}

function isRedirection(word: string | undefined): boolean {
  return word === '>' || word === '<';
}

/** The command line's complaint about these words; nothing if it accepts them. Nothing is run. */
export async function complaintOf(words: readonly string[]): Promise<string> {
  const said: string[] = [];
  const program = buildProgram({ out: () => undefined, err: (text) => void said.push(text) }, '0.0.0', async () => undefined);
  try {
    await program.parseAsync([...words], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? '' : [...said, error.message].join('');
  }
  return '';
}
