import type { Installation } from '../../compiler/installation';
import { adapterNames } from '../../worker/adapter-specs';
import type { Configuration } from '../settings/configuration';

/** What the settings say to whoever compiles: who there is, which channels lead somewhere, what models cost, how agents can be run. */
export function installationOf({ directory, channels, prices, adapters, models, toolServers, toolSettings }: Configuration): Installation {
  return {
    directory: directory.value,
    channels: Object.keys(channels.value),
    prices: prices.value,
    adapters: adapterNames(adapters.value),
    models: models.value,
    toolServers: Object.keys(toolServers.value),
    tools: toolSettings.value.own ?? [],
  };
}
