import { defined } from '../defined';
import type { ModelAlias } from './adapter';

/** How an installation runs an agent: by which adapter, and which model. */
export interface AdapterChoice {
  adapter: string;
  /** Where the adapter comes from: the agent's own file, a name for a model, or the default. */
  adapterFrom: 'agent' | 'model' | 'default';
  /** Absent: neither the agent nor the adapter names one. */
  model?: string;
  /** The agent's alias for a model, if it uses one. */
  modelAlias?: string;
}

/** The parts of an agent's definition that say how it is run. */
export interface AdapterWish {
  adapter?: string;
  model?: string;
}

/** The parts of an installation's settings that say how agents are run. */
export interface AdapterChoiceSettings {
  models: Readonly<Record<string, ModelAlias>>;
  defaultAdapter: string;
  /** The model of an adapter, for agents that name none. */
  modelOf(adapter: string): string | undefined;
}

/** An alias for a model may choose the adapter as well. The worker and the dry run both ask here. */
export function chooseAdapter(
  { adapter: own, model: named }: AdapterWish,
  { models, defaultAdapter, modelOf }: AdapterChoiceSettings,
): AdapterChoice {
  const alias = named !== undefined && Object.hasOwn(models, named) ? models[named] : undefined;
  const adapter = alias?.adapter ?? own ?? defaultAdapter;
  const model = alias?.model ?? named ?? modelOf(adapter);
  return {
    adapter,
    adapterFrom: alias?.adapter !== undefined ? 'model' : own !== undefined ? 'agent' : 'default',
    ...defined({ model, modelAlias: alias && named !== undefined ? named : undefined }),
  };
}
