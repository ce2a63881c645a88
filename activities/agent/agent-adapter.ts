import { chooseAdapter } from '../../plan/agents/adapter-choice';
import { defined } from '../../plan/defined';
import type { AgentDefinition } from '../../plan/plan';
import { bug, ThermidorFailure } from '../../plan/run/failure';
import { getJson } from '../../records/stored-json';
import type { AgentAdapter } from '../agent-port';
import type { LoadedRun } from '../run/loaded-run';
import { SCRIPTED, type Toolbox } from '../toolbox';
import { withFoldedSkills } from './prompt/folded-skills';
import { withRegisteredRole } from './registered-role';

/**
 * An agent of the run as its file says, with the model and the adapter that its model's alias means on this worker, and as its adapter
 * can run it.
 */
export async function loadAgent(toolbox: Toolbox, { plan }: Pick<LoadedRun, 'plan'>, id: string): Promise<AgentDefinition> {
  const { artifacts, models = {}, adapters, defaultAdapter } = toolbox;
  const entry = plan.agents && Object.hasOwn(plan.agents, id) ? plan.agents[id] : undefined;
  if (!entry) throw bug(`plan "${plan.name}" has no agent "${id}"`);
  const frozen = await getJson<AgentDefinition>(artifacts, { sha256: entry.definition }, `agent "${id}"`);
  const agent = withRegisteredRole(toolbox, frozen);
  const own = entry.adapter === undefined ? agent : { ...agent, adapter: entry.adapter };
  const { adapter, model } = chooseAdapter(own, { models, defaultAdapter, modelOf: (name) => adapters.get(name)?.model });
  const asked = { ...own, adapter, ...defined({ model }) };
  return adapters.get(adapter)?.ownTools ? await withFoldedSkills(artifacts, asked) : asked;
}

/** The adapter of an agent: the script's if the run has one, else its own, else the worker's default. Fails with `adapter.unavailable`. */
export function adapterFor(
  toolbox: Toolbox,
  { script }: Pick<LoadedRun, 'script'>,
  { id, adapter }: Pick<AgentDefinition, 'id' | 'adapter'>,
): AgentAdapter {
  const name = script ? SCRIPTED : (adapter ?? toolbox.defaultAdapter);
  const found = toolbox.adapters.get(name);
  if (found) return found;
  const known = [...toolbox.adapters.keys()].sort();
  throw new ThermidorFailure(
    'adapter.unavailable',
    `agent "${id}" wants adapter "${name}", which this worker does not have; it has: ${known.join(', ')}. A script can stand in`,
    { agent: id, adapter: name, known },
  );
}
