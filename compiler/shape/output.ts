import type { Report } from '../diagnostics/diagnostic';
import { OUTPUT_NAME } from '../language/patterns';
import { entryOf, type MappingNode } from '../read/node';
import type { OutputSource } from './source-parts';
import { textOf } from './values';

/** Reads the name of a step's output, and the schema it must satisfy. */
export function readOutput(node: MappingNode, work: OutputSource, report: Report): void {
  const [output, schema] = [entryOf(node, 'output'), entryOf(node, 'schema')];
  const name = output && textOf(output, report);
  if (name && !OUTPUT_NAME.test(name.value))
    report('names.invalid', name.at, `"${name.value}" is not a valid name for an output`, 'write a file name without a folder');
  else if (name) work.name = name;
  if (schema) work.schema = schema;
}
