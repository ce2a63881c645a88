import type { OutputSpec } from '../../plan/step';
import type { OutputSource } from '../shape/source-parts';
import type { Here } from './here';

/** The name and schema of a step's output. A step with a schema and no name outputs `<id>.json`. */
export function outputOf(source: OutputSource, { place, context }: Here): OutputSpec | undefined {
  const schema = context.schemaOf(place);
  if (!source.name && !schema) return undefined;
  const name = source.name?.value ?? `${place.step.id}.json`;
  if (!schema || !('json' in schema)) return { name };
  return { name, schema: context.blobs.add(schema.json, `${name.replace(/\.json$/, '')}.schema.json`, 'application/schema+json') };
}
