import { type RunBy, runBy, type WantedAdapter } from '../../plan/run-by';
import { adapterSpecs } from '../../worker/adapter-specs';
import type { Configuration } from '../settings/configuration';

export type RunBySettings = Pick<Configuration, 'models' | 'adapters' | 'defaultAdapter'>;

/** How a worker of this installation would run an agent, whatever made its settings. */
export function runByHere(written: WantedAdapter, { models, adapters, defaultAdapter }: RunBySettings): RunBy {
  const specs = adapterSpecs(adapters.value);
  const modelOf = (adapter: string): string | undefined => {
    const spec = specs.get(adapter);
    return spec && 'model' in spec ? spec.model : undefined;
  };
  return runBy(written, { models: models.value, defaultAdapter: defaultAdapter.value, modelOf });
}
