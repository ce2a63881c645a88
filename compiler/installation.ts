import type { ModelAlias } from '../plan/agents/adapter';
import type { PriceTable } from '../plan/budgets/price';
import { type Directory, NOBODY } from '../plan/people/people';
import type { Json } from '../plan/text/json';

/** What the settings of the place it will run in say, as far as a pipeline names any of it. */
export interface Installation {
  directory: Directory;
  /** Names of the channels that the settings list, beside the pipeline's own. */
  channels: readonly string[];
  /** Who decides at gates in a channel that name nobody, by channel: people and groups, all of them known. */
  approvers?: Readonly<Record<string, readonly string[]>>;
  prices: PriceTable;
  /** Names of the ways to run an agent. Absent: not known, and every name is accepted. */
  adapters?: readonly string[];
  /** Names for models by their use, which agents may have as their `model`. */
  models?: Readonly<Record<string, ModelAlias>>;
  /** Names of the tool servers. Absent or empty: not known, and every name is accepted. */
  toolServers?: readonly string[];
  /** The context of the agents of every pipeline. */
  context?: Readonly<Record<string, Json>>;
  /** Whose clock the triggers go by that name none. */
  timezone?: string;
  /** The time zone of the machine that compiles, where it is known. */
  machineTimezone?: string;
  /** Names of the tools that the worker has beside the built-in ones. Absent: not known, and every name is accepted. */
  tools?: readonly string[];
}

export const NO_INSTALLATION: Installation = { directory: NOBODY, channels: [], prices: { models: {} } };
