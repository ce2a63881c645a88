import { FAILURES, type FailureCode } from '../../plan/run/failure';
import type { Report, SourceSpan } from '../diagnostics/diagnostic';
import type { Entry } from '../read/node';
import { wordOf } from '../shape/values';

/** Records each step that is named, for mistakes that are found only by comparing with a plan. */
export type NoteStep = (step: string, at: SourceSpan) => void;

/** A step as the key of a mapping, standing for all of its rounds. */
export function noteKey({ key, keyAt }: Entry, report: Report, note: NoteStep): void {
  if (!key.includes('#')) note(key, keyAt);
  else report('test.unknown-step', keyAt, `"${key}" names a round, but the whole step is meant`, `write "${key.split('#')[0]}"`);
}

const CODES = Object.keys(FAILURES) as FailureCode[];

/** A failure code, checked. */
export function readCode(entry: Entry, report: Report): FailureCode | undefined {
  return wordOf(entry, CODES, report)?.value;
}

export function readCodes(entry: Entry, report: Report): FailureCode[] | undefined {
  return readTexts(entry, CODES, report);
}

/** Reads one word, or a list, which may be empty. */
export function readTexts<T extends string>(entry: Entry, words: readonly T[], report: Report): T[] | undefined {
  const nodes = entry.value.kind === 'sequence' ? entry.value.items : [entry.value];
  const read = nodes.map((value) => wordOf({ ...entry, value }, words, report)?.value);
  return read.every((word) => word !== undefined) ? read : undefined;
}
