import type { Report } from '../../compiler/diagnostics/diagnostic';
import { type Entry, entryOf, type MappingNode, type SourceNode } from '../../compiler/read/node';
import { requireKey } from '../../compiler/shape/keys';
import type { ReadContext } from '../../compiler/shape/read-context';
import type { StepSource } from '../../compiler/shape/source';
import { valueAt } from '../../compiler/shape/template-value';
import { conflict, textOf, wrongType } from '../../compiler/shape/values';
import type { ChildSource } from './source';

/** Reads another file as a child, and its arguments. */
export function readChild(node: MappingNode, step: StepSource, { report }: ReadContext): ChildSource {
  const [pipeline, workflow] = [entryOf(node, 'pipeline'), entryOf(node, 'workflow')];
  const [given, givenToo] = [entryOf(node, 'with'), entryOf(node, 'workflow_args')];
  if (pipeline && workflow) conflict(pipeline, workflow, report);
  if (given && givenToo) conflict(given, givenToo, report);
  const file = pipeline ?? workflow;
  if (!file) requireKey(node, 'pipeline', 'a step of kind "pipeline"', report, 'add `pipeline:` with the path of the other file');
  const args = given ?? givenToo;
  const work: ChildSource = { kind: 'pipeline', with: readArguments(args, report), at: args?.keyAt ?? file?.value.at ?? step.at };
  const path = file && textOf(file, report);
  if (path) work.path = path;
  return work;
}

function readArguments(entry: Entry | undefined, report: Report): ChildSource['with'] {
  const found: ChildSource['with'] = new Map();
  if (entry && entry.value.kind !== 'mapping') {
    wrongType(
      entry.value,
      entry.key,
      'a mapping of args to values',
      report,
      `name each arg: \`${entry.key}: { ${argNamed(entry.value)} }\``,
    );
    return found;
  }
  for (const item of entry?.value.kind === 'mapping' ? entry.value.entries : []) {
    const value = valueAt(item, report);
    if (value) found.set(item.key, { at: item.keyAt, value, valueAt: item.value.at });
  }
  return found;
}

/** An example of it with the value that was written alone. */
function argNamed(node: SourceNode): string {
  const written = node.kind === 'scalar' && /^\$[A-Za-z][\w.-]{0,60}$/.test(node.text) ? node.text : '$draft.json.title';
  return `title: ${written}`;
}
