import { homedir } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { CATALOGUE } from '../catalogue/index';
import { Options } from '../command';
import { loadConfiguration } from '../settings/configuration';
import type { Terminal } from '../terminal';
import { completedArgument } from './completed-argument';
import { isLookedUp } from './completion-source';
import { completionsFor } from './completions';
import { formatCompletions } from './format-completions';
import { runNamesFrom } from './run-names';
import { SHELLS } from './shell-scripts';
import { readTypedLine } from './typed-line';

/** A person who presses Tab waits no longer. */
const LIMIT_MS = 4_000;

/**
 * Answers a shell's script: SHELL, its word breaks, the line up to the cursor. Prints one completion a line, or nothing.
 *
 * Invariants: 1. it ends within its time limit, even if nothing answers; 2. it prints no error, which would spoil the typed line; the
 * command itself reports what is wrong; 3. it starts no server and changes nothing.
 */
export async function complete(words: readonly string[], terminal: Pick<Terminal, 'cwd' | 'env' | 'out'>): Promise<number> {
  const over = new AbortController();
  const limit = wait(LIMIT_MS, [], { signal: over.signal }).catch(() => []);
  const found = await Promise.race([linesFor(words, terminal, over.signal).catch((): string[] => []), limit]);
  over.abort();
  terminal.out(found.map((line) => `${line}\n`).join(''));
  return 0;
}

async function linesFor(
  [name = '', breaks = '', text = '']: readonly string[],
  { cwd, env }: Pick<Terminal, 'cwd' | 'env'>,
  signal: AbortSignal,
): Promise<string[]> {
  const shell = SHELLS.find((known) => known === name);
  const line = readTypedLine(text, breaks);
  const slot = completedArgument(line, CATALOGUE);
  if (shell === undefined || slot === undefined || slot.completes === 'file') return [];
  if (!isLookedUp(slot.completes))
    return formatCompletions(
      shell,
      slot.completes.map((word) => ({ text: word })),
      slot,
      line,
    );
  const configuration = loadConfiguration(new Options(slot.options), { cwd, env, home: homedir(), platform: process.platform });
  return formatCompletions(
    shell,
    await completionsFor(slot.completes, slot, configuration, runNamesFrom(configuration, signal)),
    slot,
    line,
  );
}
