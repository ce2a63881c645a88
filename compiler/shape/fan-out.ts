import { MERGES } from '../../kinds/parallel/model';
import type { Quorum } from '../../plan/quorum';
import type { Located, Report } from '../diagnostics/diagnostic';
import { readExpression } from '../expression/template';
import { RANGES } from '../language/ranges';
import { type Entry, entryOf, type MappingNode } from '../read/node';
import { checkKeys, requireKey } from './keys';
import { checkName } from './names';
import { quorumOf } from './quorum';
import type { Reading } from './reading';
import type { ForEachSource, GroupSource, ParallelSource } from './source';
import { durationEither, integerOf, textOf, wordOf, wrongType } from './values';
import { keysOf } from './vocabulary';

/** Branches side by side. */
export function readParallel(node: MappingNode, reading: Reading): ParallelSource {
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
  if (merge && !key)
    report('shape.missing-key', merge.keyAt, '"merge" stands without a "key"', 'add `key:`, the field that tells items apart');
  if (key && !merge) report('shape.missing-key', key.keyAt, '"key" stands without a "merge"', 'add `merge: union`');
  return work;
}

function readParallelWait(entry: Entry, branches: number, report: Report): ParallelSource['wait'] | 'all' {
  const { value, key } = entry;
  if (value.kind === 'scalar') return wordOf(entry, ['all', 'any'], report)?.value;
  if (value.kind === 'sequence') return wrongType(value, key, '"all", "any" or {quorum: 2/3}', report);
  checkKeys(value, { what: '"wait" of a parallel step', known: keysOf('quorum') }, report);
  requireKey(value, 'quorum', '"wait" of a parallel step', report, 'write all, any or {quorum: 2/3}');
  const written = entryOf(value, 'quorum');
  const quorum = written && quorumOf(written, report);
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

/** A branch of several steps. */
export function readGroup(node: MappingNode, reading: Reading): GroupSource {
  const steps = entryOf(node, 'steps');
  return { kind: 'group', steps: steps ? reading.steps(steps) : [] };
}

/** A block once for each item. */
export function readForEach(node: MappingNode, reading: Reading): ForEachSource {
  const { report } = reading;
  const get = (key: string): Entry | undefined => entryOf(node, key);
  const [items, steps, batch, most] = ['for_each', 'steps', 'batch_size', 'max_concurrent'].map(get);
  requireKey(node, 'for_each', 'a step of kind "for_each"', report, 'add `for_each: $step.json.items`');
  requireKey(node, 'steps', 'a step of kind "for_each"', report, 'add `steps:`, what is done with each item');
  const work: ForEachSource = { kind: 'for_each', steps: steps ? reading.steps(steps) : [] };
  if (items && items.value.kind !== 'scalar')
    wrongType(items.value, 'for_each', 'an expression', report, 'write a reference such as $step.json.items, or the list in quotes');
  const list = items?.value.kind === 'scalar' ? readExpression(items.value, withHintOfList(items.value.text, report)) : undefined;
  if (list?.kind === 'literal') {
    const hint = 'write a reference such as $step.json.items';
    report('shape.wrong-type', list.at, '"for_each" goes over a list, and this is a single value', hint);
  } else if (list) work.items = list;
  for (const [key, field] of VARIABLES) {
    const entry = get(key);
    const name = entry && textOf(entry, report);
    if (name && checkName(name, 'loop variable', report)) work[field] = name;
  }
  const size = batch && integerOf(batch, RANGES.batchSize.min, RANGES.batchSize.max, report);
  if (size !== undefined) work.batchSize = size;
  const pauseMs = durationEither(get('pause'), get('pause_ms'), report);
  if (pauseMs !== undefined) work.pauseMs = pauseMs;
  const limit = most && integerOf(most, RANGES.concurrent.min, RANGES.concurrent.max, report);
  if (limit !== undefined) work.maxConcurrent = limit;
  return work;
}

/** A list is one expression, where a text would have holes or words with commas. */
function withHintOfList(text: string, report: Report): Report {
  const holes = [...text.matchAll(/\$\{([^{}]*)\}/g)].map((match) => (match[1] ?? '').trim());
  const words = /^[\w -]+(?:,[\w -]+)+$/.test(text) ? text.split(',').map((word) => JSON.stringify(word.trim())) : [];
  const list = holes.length > 0 ? holes : words;
  if (list.length === 0 || list.some((item) => item.length > 60)) return report;
  const hint =
    holes.length === 1 && !text.trimStart().startsWith('[')
      ? `write the reference alone: ${list[0]}`
      : `write a list, in quotes for YAML: '[${list.join(', ')}]'`;
  return (code, at, message, otherwise) => report(code, at, message, code === 'expression.syntax' ? hint : otherwise);
}

const VARIABLES = [
  ['item_var', 'itemVar'],
  ['index_var', 'indexVar'],
] as const;
