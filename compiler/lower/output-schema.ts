import { OPEN, type OutputShape } from '../expression/output-shape';
import type { LoadedSchema, Schemas } from '../names/schemas';
import type { AgentWorkSource, OutputSource } from '../shape/source-parts';
import type { StepPosition } from '../step-positions';
import type { SchemaSources, Shapes } from './kind-lowering';

/** The schemas that outputs must satisfy, and the shapes that they imply. */

export function shapeOfSchema(_work: unknown, place: StepPosition, { schemaOf }: Shapes): OutputShape {
  const schema = schemaOf(place);
  return schema && 'json' in schema ? { kind: 'schema', root: schema.json, within: [] } : OPEN;
}

/** The schema of an agent's output: the step's own, else the agent's. A text such as `Draft.md` needs none. */
export function schemaOfAgent(work: AgentWorkSource, { schemas, agents, owner }: SchemaSources): LoadedSchema | undefined {
  const agent = work.agent ?? (work.action === 'self' ? owner : undefined);
  const isData = (name: string): boolean => name.endsWith('.json') || !/\.[A-Za-z0-9]+$/.test(name);
  return schemaOr(work, schemas, isData, () => agent && agents.find(agent)?.schema);
}

/** The schema of what a command prints: only an output with a JSON name needs one. */
export function schemaOfCommand(work: OutputSource, { schemas }: SchemaSources): LoadedSchema | undefined {
  return schemaOr(work, schemas, (name) => name.endsWith('.json'));
}

/** The step's own schema, or that of its output's name; data that has neither takes `otherwise`, and a missing one is reported. */
function schemaOr(
  output: OutputSource,
  schemas: Schemas,
  isData: (name: string) => boolean,
  other: () => LoadedSchema | undefined = () => undefined,
): LoadedSchema | undefined {
  const schema = schemas.of(output);
  const { output: name } = output;
  if (schema || (name && !isData(name.value))) return schema;
  const found = other();
  if (!found && name) schemas.missing(name);
  return found;
}
