import type { ModelAlias } from '../plan/adapter';
import type { Json } from '../plan/json';
import { type Directory, NOBODY } from '../plan/people';
import type { PriceTable } from '../plan/price';

/** What the settings of the place it will run in say, as far as a pipeline names any of it. */
export interface Installation {
  directory: Directory;
  /** Names of the channels that the settings list, beside the pipeline's own. */
  channels: readonly string[];
  /** Who decides at gates in a channel that name nobody, by channel: people and groups, all of them known. */
  approvers?: Readonly<Record<string, readonly string[]>>;
  prices: PriceTable;
  /** Names of the ways to run an agent. Absent: nobody knows, and every name stands. */
  adapters?: readonly string[];
  /** Names for models by their use, which agents may have as their `model`. */
  models?: Readonly<Record<string, ModelAlias>>;
  /** Names of the servers of tools. Absent or empty: nobody knows, and every name stands. */
  toolServers?: readonly string[];
  /** What agents of every pipeline are told. */
  context?: Readonly<Record<string, Json>>;
  /** Whose clock the triggers go by that name none. */
  timezone?: string;
  /** The time zone of the machine that compiles, where it is known. */
  machineTimezone?: string;
  /** Names of the tools that the worker has beside the built-in ones. Absent: nobody knows, and every name stands. */
  tools?: readonly string[];
}

export const NO_INSTALLATION: Installation = { directory: NOBODY, channels: [], prices: { models: {} } };
