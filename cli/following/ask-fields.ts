import { createInterface } from 'node:readline/promises';
import type { Terminal } from '../terminal';

/** Puts one question to the person at the terminal; returns the typed line. */
export type AskField = (question: string) => Promise<string>;

/**
 * Asks the person at the terminal until `talk` has what it wants. Undefined if the questions were withdrawn (someone else decided, the run
 * ended, Ctrl-C), or if the input ended.
 */
export async function askFields<T>(
  terminal: Terminal,
  withdrawn: AbortSignal,
  talk: (ask: AskField) => Promise<T>,
): Promise<T | undefined> {
  const lines = createInterface({ input: terminal.stdin, output: terminal.stdout, terminal: true });
  // In raw mode Ctrl-C is a character that readline keeps to itself.
  lines.on('SIGINT', () => process.emit('SIGINT'));
  // Lines typed ahead, or pasted with the answer before: readline would drop them.
  const ahead: string[] = [];
  lines.on('line', (line) => ahead.push(line));
  const ask: AskField = async (question) => {
    const typed = ahead.shift();
    if (typed === undefined) return await lines.question(question, { signal });
    terminal.out(`${question}${typed}\n`);
    return typed;
  };
  const closed = new AbortController();
  lines.on('close', () => closed.abort());
  const signal = AbortSignal.any([withdrawn, closed.signal]);
  try {
    return await talk(ask);
  } catch (error) {
    if (!signal.aborted) throw error;
    terminal.out('\n');
    return undefined;
  } finally {
    lines.close();
  }
}
