import type { ArgSpec } from '../../plan/plan';
import { ThermidorFailure } from '../../plan/run/failure';
import type { PipelineSource } from '../ports';
import { type Item, type ItemObject, itemObject } from './items/item';

/** The pipelines that can be found by name, described as `commands.list` describes stages. One that does not compile says why. */
export async function workflowsOf(pipelines: PipelineSource): Promise<Item[]> {
  const listed: Item[] = [];
  for (const name of pipelines.names?.() ?? []) listed.push(await describe(pipelines, name));
  return listed;
}

async function describe(pipelines: PipelineSource, name: string): Promise<Item> {
  try {
    const { plan } = await pipelines.pipeline(name);
    return { name, description: plan.description ?? '', argsSchema: argsSchema(plan.args ?? {}), examples: [], sideEffects: [] };
  } catch (error) {
    if (!(error instanceof ThermidorFailure)) throw error;
    return { name, description: '', argsSchema: null, examples: [], sideEffects: [], error: { code: error.code, message: error.message } };
  }
}

function argsSchema(args: Readonly<Record<string, ArgSpec>>): ItemObject {
  const properties = Object.entries(args).map(([arg, spec]) => {
    const { type, description, enum: allowed, default: otherwise } = spec;
    return [arg, JSON.parse(JSON.stringify({ type, description, enum: allowed, default: otherwise })) as ItemObject] as const;
  });
  const required = Object.entries(args).flatMap(([arg, spec]) => (spec.required ? [arg] : []));
  return { type: 'object', properties: itemObject(properties), required };
}
