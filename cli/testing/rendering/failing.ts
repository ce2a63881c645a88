import { printable } from '../../../compiler/diagnostics/printable';
import type { Json } from '../../../plan/text/json';
import { shortened } from '../../../plan/text/shortened';
import type { Difference } from '../difference';
import type { Failing } from '../judge/failing';

const WIDTH = 160;
const SHOWN = 10;

/** How an expectation was missed, in lines without colours: its name, then the expected and the actual value. */
export function failingLines({ what, expected, got, differences, note }: Failing): string[] {
  const listed = differences?.filter(({ path }) => path !== '') ?? [];
  const lines = listed.length > 0 ? differenceLines(listed) : pairLines(expected, got);
  return [what, ...lines.map((line) => `  ${line}`), ...(note === undefined ? [] : [`  (${oneLine(note)})`])];
}

function differenceLines(all: readonly Difference[]): string[] {
  const lines = all.slice(0, SHOWN).flatMap(({ path, expected, got }) => {
    if (expected === undefined) return [`${path} is present, but should not be: ${write(got)}`];
    if (got === undefined) return [`${path} is missing; expected ${write(expected)}`];
    return [path, ...pairLines(expected, got).map((line) => `  ${line}`)];
  });
  return all.length > SHOWN ? [...lines, `… and ${all.length - SHOWN} more differences`] : lines;
}

function pairLines(expected: Json, got: Json | undefined): string[] {
  const from = typeof expected === 'string' && typeof got === 'string' ? firstDifference(expected, got) : 0;
  const came = Array.isArray(got) && JSON.stringify(got).length > WIDTH ? got : undefined;
  if (came) return [`expected  ${write(expected, from)}`, 'got', ...came.map((item) => `  ${write(item)}`)];
  return [`expected  ${write(expected, from)}`, `got       ${got === undefined ? 'nothing' : write(got, from)}`];
}

/** Long texts that begin alike are shown from shortly before they differ. */
function firstDifference(a: string, b: string): number {
  if (a.length <= WIDTH && b.length <= WIDTH) return 0;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return Math.max(0, at - 40);
}

function write(value: Json | undefined, from = 0): string {
  const text = typeof value === 'string' ? JSON.stringify(`${from > 0 ? '…' : ''}${value.slice(from)}`) : JSON.stringify(value);
  return shortened(printable(text), WIDTH);
}

function oneLine(text: string): string {
  return shortened(printable(text.replace(/\s+/g, ' ').trim()), 2 * WIDTH);
}
