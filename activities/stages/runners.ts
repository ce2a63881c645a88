import { defined } from '../../plan/defined';
import type { GateForm } from '../../plan/people/gate';
import { STAGES, type StageName } from '../../plan/stages/stage';
import { approveStage } from './approve';
import { ask } from './ask';
import { STAGE_CATALOGUE, type StageDescription } from './catalogue';
import { exec } from './exec';
import { dedupe } from './items/dedupe';
import { groupBy } from './items/group-by';
import { head } from './items/head';
import { type Item, itemObject } from './items/item';
import { map } from './items/map';
import { pick } from './items/pick';
import { sort } from './items/sort';
import { table } from './items/table';
import { template } from './items/template';
import { where } from './items/where';
import { llmInvoke } from './services/llm-invoke';
import { openclawInvoke } from './services/openclaw-invoke';
import type { StageCall } from './stage-call';
import type { StagePorts } from './stage-ports';
import { diffLast, stateGet, stateSet } from './state';

/** How a stage is run. */
export type Runner =
  | { kind: 'pure'; run: (call: StageCall, items: readonly Item[]) => Item[] }
  /** Turns the items into text; none continue. */
  | { kind: 'render'; run: (items: readonly Item[]) => string }
  /** Halts the pipe with a question. */
  | { kind: 'gate'; gate: 'approval' | 'input'; run: (call: StageCall, items: readonly Item[]) => GateForm }
  /** Looks outside and changes nothing there, so it may run again. */
  | { kind: 'look'; run: Outside }
  /** Changes something, or reads what another stage may change: its result is kept before the next stage begins. */
  | { kind: 'effect'; run: Outside };
type Outside = (call: StageCall, items: readonly Item[], ports: StagePorts) => Promise<Item[]>;

export const RUNNERS: Readonly<Record<StageName, Runner>> = {
  exec: { kind: 'effect', run: exec },
  json: { kind: 'render', run: (items) => `${JSON.stringify(items, null, 2)}\n` },
  table: { kind: 'render', run: table },
  pick: { kind: 'pure', run: pick },
  where: { kind: 'pure', run: where },
  head: { kind: 'pure', run: head },
  map: { kind: 'pure', run: map },
  sort: { kind: 'pure', run: sort },
  dedupe: { kind: 'pure', run: dedupe },
  groupBy: { kind: 'pure', run: groupBy },
  template: { kind: 'look', run: template },
  approve: { kind: 'gate', gate: 'approval', run: approveStage },
  ask: { kind: 'gate', gate: 'input', run: ask },
  'diff.last': { kind: 'effect', run: diffLast },
  'state.get': { kind: 'effect', run: stateGet },
  'state.set': { kind: 'effect', run: stateSet },
  'llm.invoke': { kind: 'effect', run: llmInvoke },
  'openclaw.invoke': { kind: 'effect', run: openclawInvoke },
  'commands.list': { kind: 'pure', run: commandsList },
  'workflows.list': { kind: 'look', run: workflowsList },
};

/** `commands.list`: every stage that a pipe may have, by name. */
function commandsList(): Item[] {
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
async function workflowsList(_: StageCall, __: readonly Item[], ports: StagePorts): Promise<Item[]> {
  return await ports.workflows();
}
