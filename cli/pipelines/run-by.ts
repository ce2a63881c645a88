import { type AdapterChoice, type AdapterWish, chooseAdapter } from '../../plan/agents/adapter-choice';
import { adapterSpecs } from '../../worker/adapter-specs';
import type { Configuration } from '../settings/configuration';

export type LocalAdapterSettings = Pick<Configuration, 'models' | 'adapters' | 'defaultAdapter'>;

/** How a worker of this installation would run an agent, whatever made its settings. */
export function chooseAdapterHere(written: AdapterWish, { models, adapters, defaultAdapter }: LocalAdapterSettings): AdapterChoice {
  const specs = adapterSpecs(adapters.value);
  const modelOf = (adapter: string): string | undefined => {
    const spec = specs.get(adapter);
    return spec && 'model' in spec ? spec.model : undefined;
  };
  return chooseAdapter(written, { models: models.value, defaultAdapter: defaultAdapter.value, modelOf });
}
