import { type Directory, NOBODY } from '../plan/people';
import type { PriceTable } from '../plan/price';

/** What the settings of the place it will run in say, as far as a pipeline names any of it. */
export interface Installation {
  directory: Directory;
  /** Names of the channels that the settings list, beside the pipeline's own. */
  channels: readonly string[];
  prices: PriceTable;
}

export const NO_INSTALLATION: Installation = { directory: NOBODY, channels: [], prices: { models: {} } };
