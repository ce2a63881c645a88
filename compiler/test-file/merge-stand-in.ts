import { defined } from '../../plan/defined';
import type { Report } from '../diagnostics/diagnostic';
import { type Entry, entryOf, type SourceNode } from '../read/node';
import type { ScriptPlaces } from '../script/read-script';
import { checkKeys, headOf } from '../shape/keys';
import { integerOf, textOf, textsOf, wrongType } from '../shape/values';
import { readByStep } from './stand-in';
import type { MergeStandIn } from './test-file';

const OUTCOMES = ['conflict', 'restricted', 'red', 'target_red'] as const;
const KNOWN = ['title', 'round', ...OUTCOMES];
const MAX_COUNT = 1_000_000;

/** Reads `merges:`: for each step, what the merge queue says of the commits in its worktree. */
export function readMerges(entry: Entry, places: ScriptPlaces, report: Report): Record<string, MergeStandIn[]> {
  const words = { takes: 'what comes of their candidates', one: 'outcome' };
  return readByStep(entry, words, (node, step) => readMerge(node, step, report), places, report);
}

function readMerge(node: SourceNode, step: string, report: Report): MergeStandIn | undefined {
  if (node.kind !== 'mapping') return wrongType(node, step, 'an outcome such as {conflict: [src/a.js]}', report);
  checkKeys(node, { what: 'the outcome of a candidate', known: KNOWN }, report);
  const [first, second] = node.entries.filter(({ key }) => OUTCOMES.some((outcome) => outcome === key));
  if (!first) {
    // The key was reported, so the answer may be under it.
    if (node.entries.every(({ key }) => KNOWN.includes(key)))
      report('shape.missing-key', headOf(node), 'the candidate has no outcome', `add one of ${OUTCOMES.join(', ')}`);
    return undefined;
  }
  if (second)
    report('shape.conflicting-keys', second.keyAt, `"${second.key}" cannot be combined with "${first.key}"`, 'keep one of the two');
  const outcome = readOutcome(first, report);
  const [title, round] = ['title', 'round'].map((key) => entryOf(node, key));
  const place = { title: title && textOf(title, report)?.value, round: round && integerOf(round, 1, MAX_COUNT, report) };
  return outcome && { ...defined(place), outcome };
}

function readOutcome(entry: Entry, report: Report): MergeStandIn['outcome'] | undefined {
  if (entry.key === 'red' || entry.key === 'target_red') {
    const said = textOf(entry, report);
    return said && { kind: 'red', tail: said.value, ...defined({ isTargets: entry.key === 'target_red' || undefined }) };
  }
  const paths = textsOf(entry, report)?.map(({ value }) => value);
  if (paths?.length === 0) report('shape.out-of-range', entry.value.at, `"${entry.key}" names no path`, 'name those that the author gets');
  return paths && { kind: entry.key === 'conflict' ? 'conflict' : 'restricted', paths };
}
