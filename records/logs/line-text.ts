import type { LogLine } from '../step-logs';

/**
 * A line of a log as stores keep it, readable for people with `tail -f` too: `2026-11-22T14:03:05.123Z out| text`. `out+` continues with
 * the next `out`; `err` is standard error, `--` a note of Thermidor's. A program cannot fake a note, because every line of its output has
 * a prefix of its own.
 */
const WORDS = { stdout: 'out', stderr: 'err', note: '--' } as const;
const FROM = { out: 'stdout', err: 'stderr', '--': 'note' } as const;
const LINE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (out|err|--)([|+]) /;

export function lineText({ at, from, text, goesOn }: LogLine): string {
  return `${at} ${WORDS[from]}${goesOn ? '+' : '|'} ${text}\n`;
}

/** Undefined if it is invalid: a crash may have torn it. */
export function parseLine(written: string): LogLine | undefined {
  const found = LINE.exec(written);
  if (!found) return undefined;
  const [beginning, at = '', word = '--', mark] = found;
  const line: LogLine = { at, from: FROM[word as keyof typeof FROM], text: written.slice(beginning.length) };
  return mark === '+' ? { ...line, goesOn: true } : line;
}
