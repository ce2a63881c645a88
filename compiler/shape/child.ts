import type { Report, Spot } from '../diagnostics/diagnostic';
import { type Entry, entryOf, type MappingNode } from '../read/node';
import { requireKey } from './keys';
import type { ChildSource } from './source';
import { valueAt } from './template-value';
import { conflict, mappingOf, textOf } from './values';

/** Another file as a child, and what its run is given. */
export function readChild(node: MappingNode, stepAt: Spot, report: Report): ChildSource {
  const [pipeline, workflow] = [entryOf(node, 'pipeline'), entryOf(node, 'workflow')];
  const [given, givenToo] = [entryOf(node, 'with'), entryOf(node, 'workflow_args')];
  if (pipeline && workflow) conflict(pipeline, workflow, report);
  if (given && givenToo) conflict(given, givenToo, report);
  const file = pipeline ?? workflow;
  if (!file) requireKey(node, 'pipeline', 'a step of kind "pipeline"', report, 'add `pipeline:` with the path of the other file');
  const args = given ?? givenToo;
  const work: ChildSource = { kind: 'pipeline', with: readArguments(args, report), at: args?.keyAt ?? file?.value.at ?? stepAt };
  const path = file && textOf(file, report);
  if (path) work.path = path;
  return work;
}

function readArguments(entry: Entry | undefined, report: Report): ChildSource['with'] {
  const found: ChildSource['with'] = new Map();
  for (const item of (entry && mappingOf(entry, report, 'a mapping of args to values'))?.entries ?? []) {
    const value = valueAt(item, report);
    if (value) found.set(item.key, { at: item.keyAt, value, valueAt: item.value.at });
  }
  return found;
}
