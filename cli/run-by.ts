import { adapterSpecs } from '../worker/adapter-specs';
import type { Configuration } from './configuration';

/** How this installation runs an agent: by which adapter, and which model. */
export interface RunBy {
  adapter: string;
  /** Where the adapter comes from: the agent's own file, a name for a model, or the default. */
  adapterFrom: 'agent' | 'model' | 'default';
  /** Absent: neither the agent nor the adapter names one. */
  model?: string;
  /** The name for a model that the agent has, where that stands for another. */
  modelAlias?: string;
}

/** What of an agent's definition says how it is run. */
export interface WantedAdapter {
  adapter?: string;
  model?: string;
}

/** As the worker chooses (activities/agent-adapter.ts): a name for a model may choose the adapter as well. */
export function runBy(written: WantedAdapter, { models, adapters, defaultAdapter }: RunBySettings): RunBy {
  const named = written.model;
  const alias = named !== undefined && Object.hasOwn(models.value, named) ? models.value[named] : undefined;
  const adapter = alias?.adapter ?? written.adapter ?? defaultAdapter.value;
  const spec = adapterSpecs(adapters.value).get(adapter);
  const model = alias?.model ?? named ?? (spec && 'model' in spec ? spec.model : undefined);
  return {
    adapter,
    adapterFrom: alias?.adapter !== undefined ? 'model' : written.adapter !== undefined ? 'agent' : 'default',
    ...(model === undefined ? {} : { model }),
    ...(alias && named !== undefined ? { modelAlias: named } : {}),
  };
}

export type RunBySettings = Pick<Configuration, 'models' | 'adapters' | 'defaultAdapter'>;
