import type { Located, Report } from '../../compiler/diagnostics/diagnostic';
import { RANGES } from '../../compiler/language/ranges';
import { type Entry, entryOf, type MappingNode } from '../../compiler/read/node';
import { checkKeys, requireKey } from '../../compiler/shape/keys';
import { quorumSetting } from '../../compiler/shape/quorum';
import type { ReadContext } from '../../compiler/shape/read-context';
import type { ParallelSource, StepSource } from '../../compiler/shape/source';
import { integerOf, textOf, wordOf, wrongType } from '../../compiler/shape/values';
import { keysOf } from '../../compiler/shape/vocabulary';
import type { Quorum } from '../../plan/people/quorum';
import { MERGES } from './model';

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
  const how = merge && wordOf(merge, MERGES, report);
  const field = key && textOf(key, report);
  if (how && field) work.merge = { how: how.value, key: field.value };
  if (merge && !key) report('shape.missing-key', merge.keyAt, '"merge" requires a "key"', 'add `key:`, the field that identifies an item');
  if (key && !merge) report('shape.missing-key', key.keyAt, '"key" requires a "merge"', 'add `merge: union`');
  return work;
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
    report('parallel.quorum-one', at, '"quorum: 1" is one branch; before, it was all of them', hint);
  }
}
