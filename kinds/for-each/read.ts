import type { Report } from '../../compiler/diagnostics/diagnostic';
import { readExpression } from '../../compiler/expression/template';
import { RANGES } from '../../compiler/language/ranges';
import { type Entry, entryOf, type MappingNode } from '../../compiler/read/node';
import { requireKey } from '../../compiler/shape/keys';
import { checkName } from '../../compiler/shape/names';
import type { ReadContext } from '../../compiler/shape/read-context';
import type { ForEachSource, StepSource } from '../../compiler/shape/source';
import { durationEither, integerOf, textOf, wrongType } from '../../compiler/shape/values';

/** A block once for each item. */
export function readForEach(node: MappingNode, _step: StepSource, reading: ReadContext): ForEachSource {
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
