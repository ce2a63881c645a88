import { LEAD } from '../../plan/board/message';
import type { RunMemo } from '../../plan/run/run-memo';
import { shellWord } from '../../plan/text/shell-word';
import type { Colors } from '../terminal';
import type { ServerPlace } from './answer';
import { manyLines, oneLine } from './text/printable';
import { clock } from './text/time';

type InboxLetter = NonNullable<RunMemo['letters']>[number];

/** The commands that answer a letter, and that show all of it. */
export function letterLines(
  run: string,
  { from, to, isCut }: InboxLetter,
  { flags = '' }: ServerPlace,
): { answer: string; whole?: string } {
  const answer = `thermidor team message ${shellWord(run)} ${shellWord(from)} "…"${flags}`;
  // The inbox of a member is its own, and a person who does not lead has none.
  return isCut && to === LEAD ? { answer, whole: `thermidor team inbox ${shellWord(run)} lead --whole${flags}` } : { answer };
}

/** One letter of the inbox. */
export function renderInboxLetter(run: string, letter: InboxLetter, server: ServerPlace, colors: Colors): string {
  const { step, from, to, content, at } = letter;
  const head = `${colors.yellow('@')} ${colors.bold(oneLine(run))}  ${oneLine(step)}  ${colors.dim(`at ${clock(at)}`)}`;
  const text = `${oneLine(from)} to ${to === LEAD ? 'the lead' : oneLine(to)}: ${manyLines(content)}`;
  const { answer, whole } = letterLines(run, letter, server);
  return [head, ...text.split('\n'), answer, ...(whole === undefined ? [] : [whole])]
    .map((line, i) => `${i === 0 ? '' : '  '}${line}\n`)
    .join('');
}
