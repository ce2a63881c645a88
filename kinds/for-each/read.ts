import type { Report } from '../../compiler/diagnostics/diagnostic';
import { readExpression } from '../../compiler/expression/template';
import { type Entry, entryOf, type MappingNode } from '../../compiler/read/node';
import type { ReadContext } from '../../compiler/shape/read-context';
import { readMapping } from '../../compiler/shape/read-rows';
import type { StepSource } from '../../compiler/shape/source';
import type { StreamSource } from '../../compiler/shape/source-parts';
import { wrongType } from '../../compiler/shape/values';
import { defined } from '../../plan/defined';
import type { ForEachSource } from './source';

/** What a loop goes over: a list, or what another step emits. */
export function readOver(node: MappingNode, _step: StepSource, { report }: ReadContext): ForEachSource {
  const over = entryOf(node, 'for_each');
  if (over?.value.kind !== 'mapping') checkPolicy(node, report);
  if (!over) return {};
  const { value } = over;
  if (value.kind === 'mapping') return defined({ stream: readStream(over, node, report) });
  if (value.kind === 'sequence')
    return wrongType(value, 'for_each', 'an expression', report, 'write a reference such as $step.json.items, or the list in quotes') ?? {};
  const items = readExpression(value, withHintOfList(value.text, report));
  if (items?.kind !== 'literal') return defined({ items });
  const hint = 'write a reference such as $step.json.items';
  report('shape.wrong-type', items.at, '"for_each" goes over a list, but this is a single value', hint);
  return {};
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

/** Reads `for_each: {stream: STEP, key: id}`: another step's items. */
function readStream(entry: Entry, loop: MappingNode, report: Report): StreamSource | undefined {
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
  const stream = readMapping(entry, 'stream', { report });
  if (stream?.depends && !entryOf(stream.node, 'key'))
    report('shape.missing-key', stream.depends.at, '"depends" requires a "key"', 'add `key:`, the field by which items name each other');
  return stream?.stream && { ...stream, stream: stream.stream };
}

/** A loop over a list has none of the keys that say what is done with items of a stream. */
function checkPolicy(node: MappingNode, report: Report): void {
  const hint = 'write `for_each: {stream: STEP}`, or leave it out';
  for (const key of ['item_timeout', 'fixes', 'on_item_failed', 'on_all_blocked']) {
    const entry = entryOf(node, key);
    if (entry) report('shape.key-not-here', entry.keyAt, `"${key}" is for a loop over a stream`, hint);
  }
}
