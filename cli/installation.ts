import type { Installation } from '../compiler/installation';
import type { Configuration } from './configuration';

/** What the settings say to whoever compiles: who there is, which channels lead somewhere, what models cost. */
export function installationOf({ directory, channels, prices }: Configuration): Installation {
  return { directory: directory.value, channels: Object.keys(channels.value), prices: prices.value };
}
