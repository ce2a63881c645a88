import type { OutputSpec } from '../../plan/step';
import type { OutputSource, StepSource } from '../shape/source';
import type { Context } from './context';

/** The name and schema of a step's output. A step with a schema and no name puts out `<id>.json`. */
export function outputOf(step: StepSource, source: OutputSource, context: Context): OutputSpec | undefined {
  if (!source.name && !source.schema) return undefined;
  const name = source.name?.value ?? `${step.id}.json`;
  const schema = context.schemaOf(step);
  if (!schema || !('json' in schema)) return { name };
  return { name, schema: context.blobs.add(schema.json, `${name.replace(/\.json$/, '')}.schema.json`, 'application/schema+json') };
}
