import { defined } from '../../plan/defined';
import { STAGES } from '../../plan/stages/stage';
import { STAGE_CATALOGUE, type StageDescription } from './catalogue';
import { type Item, itemObject } from './items/item';
import type { StageCall } from './stage-call';
import type { StagePorts } from './stage-ports';

/** `commands.list`: every stage that a pipe may have, by name. */
export function commandsList(): Item[] {
  const all = STAGES.flatMap((name) =>
    [name, ...(STAGE_CATALOGUE[name].aliases ?? [])].map((alias) => entry(alias, STAGE_CATALOGUE[name])),
  );
  return all.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function entry(name: string, { description, flags = {}, words, required = [], sideEffects = [] }: StageDescription) {
  const properties = Object.entries(flags).map(([flag, [type, meaning]]) => [flag, { type, description: meaning }] as const);
  const positional = { type: 'array', items: { type: 'string' }, ...defined({ description: words }) };
  return {
    name,
    description,
    argsSchema: {
      type: 'object',
      properties: itemObject([...properties, ...(words === undefined ? [] : [['_', positional] as const])]),
      required: [...required],
    },
    examples: null,
    sideEffects: [...sideEffects],
  };
}

/** `workflows.list`: the pipelines that this worker finds by name. */
export async function workflowsList(_: StageCall, __: readonly Item[], ports: StagePorts): Promise<Item[]> {
  return await ports.workflows();
}
