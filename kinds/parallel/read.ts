import type { Located, Report } from '../../compiler/diagnostics/diagnostic';
import { RANGES } from '../../compiler/language/ranges';
import { type Entry, entryOf, type MappingNode } from '../../compiler/read/node';
import { checkKeys, requireKey } from '../../compiler/shape/keys';
import { quorumSetting } from '../../compiler/shape/quorum';
import type { ReadContext } from '../../compiler/shape/read-context';
import type { ParallelSource, StepSource } from '../../compiler/shape/source';
import { conflict, integerOf, mappingOf, numberOf, textOf, wordOf, wrongType } from '../../compiler/shape/values';
import { keysOf } from '../../compiler/shape/vocabulary';
import { defined } from '../../plan/defined';
import type { Quorum } from '../../plan/people/quorum';
import { MERGES, type MergeSpec, MOST_WEIGHT } from '../../plan/steps/merged-output';

/** Branches in parallel. */
export function readParallel(node: MappingNode, _step: StepSource, reading: ReadContext): ParallelSource {
  const { report } = reading;
  const [branches, wait, most, merge, key] = ['branches', 'wait', 'max_concurrent', 'merge', 'key'].map((name) => entryOf(node, name));
  requireKey(node, 'branches', 'a step of kind "parallel"', report, 'add `branches:`, a list of steps');
  const work: ParallelSource = { kind: 'parallel', branches: branches ? reading.steps(branches, { branches: true }) : [] };
  const until = wait && readParallelWait(wait, work.branches.length, report);
  if (until && until !== 'all') work.wait = until;
  const limit = most && integerOf(most, RANGES.concurrent.min, RANGES.concurrent.max, report);
  if (limit !== undefined) work.maxConcurrent = limit;
  const merged = merge?.value.kind === 'mapping' ? readMerge(merge.value, key, work, report) : readMergeWord(merge, key, report);
  if (merged) work.merge = merged;
  // The step names what it must have in any case.
  if (merge && !wait) work.wait = 'some';
  return work;
}

function readMergeWord(merge: Entry | undefined, key: Entry | undefined, report: Report): MergeSpec | undefined {
  const how = merge && wordOf(merge, MERGES, report);
  const field = key && textOf(key, report);
  if (merge && !key) report('shape.missing-key', merge.keyAt, '"merge" requires a "key"', 'add `key:`, the field that identifies an item');
  if (key && !merge) report('shape.missing-key', key.keyAt, '"key" requires a "merge"', 'add `merge: union`');
  return how && field ? { how: how.value, key: field.value } : undefined;
}

function readMerge(node: MappingNode, outer: Entry | undefined, { branches }: ParallelSource, report: Report): MergeSpec | undefined {
  checkKeys(node, { what: '"merge"', known: keysOf('merge') }, report);
  for (const key of ['how', 'key']) requireKey(node, key, '"merge"', report, 'write {how: union, key: name}');
  const [how, key, weights, least] = ['how', 'key', 'weights', 'min_weight'].map((name) => entryOf(node, name));
  if (outer && key) conflict(outer, key, report);
  const word = how && wordOf(how, MERGES, report);
  const field = key && textOf(key, report);
  const minWeight = least && numberOf(least, 0, 1, report);
  const byBranch = weights && readWeights(weights, branches, report);
  for (const entry of [weights, least])
    if (entry && word && word.value !== 'weighted')
      report('shape.conflicting-keys', entry.keyAt, `"${entry.key}" needs \`how: weighted\`, not ${word.value}`, 'remove one of the two');
  return word && field ? { how: word.value, key: field.value, ...defined({ weights: byBranch, minWeight }) } : undefined;
}

function readWeights(entry: Entry, branches: readonly StepSource[], report: Report): Record<string, number> | undefined {
  const node = mappingOf(entry, report, 'a mapping of branches and numbers, such as {security: 2}');
  if (!node) return undefined;
  checkKeys(node, { what: '"weights"', known: branches.map(({ id }) => id) }, report);
  return Object.fromEntries(
    node.entries.flatMap((weight) => {
      const value = numberOf(weight, 0, MOST_WEIGHT, report);
      return value === undefined ? [] : [[weight.key, value]];
    }),
  );
}

function readParallelWait(entry: Entry, branches: number, report: Report): ParallelSource['wait'] | 'all' {
  const { value, key } = entry;
  if (value.kind === 'scalar') return wordOf(entry, ['all', 'any'], report)?.value;
  if (value.kind === 'sequence') return wrongType(value, key, '"all", "any" or {quorum: 2/3}', report);
  checkKeys(value, { what: '"wait" of a parallel step', known: keysOf('quorum') }, report);
  requireKey(value, 'quorum', '"wait" of a parallel step', report, 'write all, any or {quorum: 2/3}');
  const written = entryOf(value, 'quorum');
  const quorum = written && quorumSetting(written, report);
  if (!quorum) return undefined;
  checkCount(quorum, branches, report);
  return { quorum: quorum.value };
}

function checkCount({ value, at }: Located<Quorum>, branches: number, report: Report): void {
  if (!('count' in value)) return;
  if (value.count > branches) {
    report('parallel.quorum-too-large', at, `"quorum" is ${value.count}, but there are ${branches} branches`, 'lower it, or add branches');
  } else if (value.count === 1 && branches > 1) {
    const hint = 'write `wait: any` where one is enough, `wait: all` or a quorum of 1.0 where all are needed';
    report('parallel.quorum-one', at, '"quorum: 1" is one branch, and not all of them', hint);
  }
}
