import type { Located, Report } from '../../compiler/diagnostics/diagnostic';
import { readExpression } from '../../compiler/expression/template';
import { RANGES } from '../../compiler/language/ranges';
import { type Entry, entryOf, type MappingNode } from '../../compiler/read/node';
import type { StreamSource } from '../../compiler/shape/emits';
import { checkKeys, requireKey } from '../../compiler/shape/keys';
import { checkName } from '../../compiler/shape/names';
import type { ReadContext } from '../../compiler/shape/read-context';
import type { ForEachSource, StepSource } from '../../compiler/shape/source';
import { templateAt } from '../../compiler/shape/template-value';
import { durationEither, durationOf, integerOf, mappingOf, textOf, wordOf, wrongType } from '../../compiler/shape/values';
import { keysOf } from '../../compiler/shape/vocabulary';
import { defined } from '../../plan/defined';
import type { Path } from '../../plan/expressions/expression';
import { type ItemPolicy, ON_ALL_BLOCKED, ON_ITEM_FAILED } from '../../plan/steps/stream';

/** A block once for each item. */
export function readForEach(node: MappingNode, _step: StepSource, reading: ReadContext): ForEachSource {
  const { report } = reading;
  const get = (key: string): Entry | undefined => entryOf(node, key);
  const [items, steps, batch, most] = ['for_each', 'steps', 'batch_size', 'max_concurrent'].map(get);
  requireKey(node, 'for_each', 'a step of kind "for_each"', report, 'add `for_each: $step.json.items`');
  requireKey(node, 'steps', 'a step of kind "for_each"', report, 'add `steps:`, what is done with each item');
  const work: ForEachSource = { kind: 'for_each', steps: steps ? reading.steps(steps) : [] };
  const stream = items?.value.kind === 'mapping' ? readStream(items, node, report) : undefined;
  if (stream) work.stream = stream;
  work.policy = readPolicy(node, items?.value.kind === 'mapping', report);
  if (items?.value.kind === 'sequence')
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
  const label = get('label');
  const template = label && textOf(label, report) && templateAt(label, report);
  if (template) work.label = template;
  const size = batch && integerOf(batch, RANGES.batchSize.min, RANGES.batchSize.max, report);
  if (size !== undefined) work.batchSize = size;
  const pauseMs = durationEither(get('pause'), get('pause_ms'), report);
  if (pauseMs !== undefined) work.pauseMs = pauseMs;
  const limit = most && integerOf(most, RANGES.concurrent.min, RANGES.concurrent.max, report);
  if (limit !== undefined) work.maxConcurrent = limit;
  return work;
}

/** A list is one expression, while a text would have holes or words with commas. */
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

/** Reads `for_each: {stream: STEP, key: id}`: another step's items. */
function readStream(entry: Entry, loop: MappingNode, report: Report): StreamSource | undefined {
  const node = mappingOf(entry, report);
  if (!node) return undefined;
  const what = 'a `for_each` over a stream';
  checkKeys(node, { what, known: keysOf('stream') }, report);
  requireKey(node, 'stream', what, report, 'add `stream:`, the step that emits the items');
  for (const key of ['batch_size', 'pause', 'pause_ms']) {
    const other = entryOf(loop, key);
    if (other)
      report(
        'shape.conflicting-keys',
        other.keyAt,
        `"${key}" cannot be combined with a stream`,
        'leave it out: `max_concurrent` says how many items are in flight',
      );
  }
  const step = entryOf(node, 'stream');
  const producer = step && textOf(step, report);
  const [key, depends, files] = ['key', 'depends', 'files'].map((name) => {
    const entry = entryOf(node, name);
    return entry && pathOf(entry, report);
  });
  if (depends && !entryOf(node, 'key'))
    report('shape.missing-key', depends.at, '"depends" requires a "key"', 'add `key:`, the field by which items name each other');
  return producer && { producer, ...defined({ key, depends, files }) };
}

/** Reads what is done with each item of a stream; a loop over a list has none of these keys. */
function readPolicy(node: MappingNode, isStream: boolean, report: Report): Partial<ItemPolicy> {
  const [timeout, fixes, failed, blocked] = ['item_timeout', 'fixes', 'on_item_failed', 'on_all_blocked'].map((key) => entryOf(node, key));
  for (const entry of [timeout, fixes, failed, blocked])
    if (entry && !isStream)
      report(
        'shape.key-not-here',
        entry.keyAt,
        `"${entry.key}" is for a loop over a stream`,
        'write `for_each: {stream: STEP}`, or leave it out',
      );
  const [onFailed, onAllBlocked] = [failed && wordOf(failed, ON_ITEM_FAILED, report), blocked && wordOf(blocked, ON_ALL_BLOCKED, report)];
  return defined({
    timeoutMs: timeout && durationOf(timeout, report),
    fixes: fixes && integerOf(fixes, RANGES.fixes.min, RANGES.fixes.max, report),
    onFailed: onFailed?.value,
    onAllBlocked: onAllBlocked?.value,
  });
}

/** A field of an item, or one within: `id`, `meta.id`. */
function pathOf(entry: Entry, report: Report): Located<Path> | undefined {
  const text = textOf(entry, report);
  if (!text) return undefined;
  if (FIELD_PATH.test(text.value)) return { value: text.value.split('.'), at: text.at };
  report(
    'shape.wrong-type',
    text.at,
    `"${entry.key}" is "${text.value}", which is no field`,
    'write the name of a field of an item, such as id or meta.id',
  );
  return undefined;
}

const FIELD_PATH = /^[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*$/;
