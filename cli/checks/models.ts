import type { AdapterSpec, ModelAlias } from '../../plan/agents/adapter';
import type { AdapterChoice } from '../../plan/agents/adapter-choice';
import { type PriceTable, priceOf } from '../../plan/budgets/price';
import type { Check } from './check';

/** Shows what the model aliases mean. Whether each adapter exists was checked when the settings were read. */
export function checkModels(aliases: Readonly<Record<string, ModelAlias>>): Check[] {
  const words = Object.entries(aliases).map(
    ([alias, { model, adapter }]) => `${alias} → ${model}${adapter === undefined ? '' : ` by ${adapter}`}`,
  );
  return words.length === 0 ? [] : [{ name: 'models', state: 'ok', says: words.join(', ') }];
}

/** Models of services that agents use directly or by an alias, without a price in a table that has any. Programs report their own. */
export function checkUnpriced(agents: readonly AdapterChoice[], specs: ReadonlyMap<string, AdapterSpec>, prices: PriceTable): Check[] {
  if (Object.keys(prices.models).length === 0) return [];
  const models = agents.flatMap(({ adapter, model }) => (specs.get(adapter)?.kind !== 'cli' && model !== undefined ? [model] : []));
  const unknown = [...new Set(models)].filter((model) => priceOf(model, prices) === undefined).sort();
  if (unknown.length === 0) return [];
  return [
    {
      name: 'prices',
      state: 'warning',
      says: `no price of ${unknown.join(', ')}: their cost will be unknown`,
      hint: 'write it under `prices.models` in thermidor.yaml; {input: 0, output: 0} if it costs nothing',
    },
  ];
}
