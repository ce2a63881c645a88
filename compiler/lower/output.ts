import type { OutputSpec } from '../../plan/steps/step';
import type { OutputSource } from '../shape/source-parts';
import type { StepContext } from './step-context';

/** The name and schema of a step's output. A step with a schema but no name outputs `<id>.json`. */
export function lowerOutput(source: OutputSource, { place, context }: StepContext): OutputSpec | undefined {
  const schema = context.schemaOf(place);
  if (!source.output && !schema) return undefined;
  const name = source.output?.value ?? `${place.step.id}.json`;
  if (!schema || !('json' in schema)) return { name };
  return { name, schema: context.blobs.add(schema.json, `${name.replace(/\.json$/, '')}.schema.json`, 'application/schema+json') };
}
