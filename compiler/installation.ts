import type { ModelAlias } from '../plan/agents/adapter';
import type { Role } from '../plan/brief/role';
import type { PriceTable } from '../plan/budgets/price';
import { type Directory, NOBODY } from '../plan/people/people';
import type { Json } from '../plan/text/json';

/** What a pipeline may rely on from the settings of the place where it will run. */
export interface Installation {
  directory: Directory;
  /** Names of the channels that the settings list, in addition to the pipeline's own. */
  channels: readonly string[];
  /** Who decides at gates that name nobody, by channel: people and groups, all of them known. */
  approvers?: Readonly<Record<string, readonly string[]>>;
  prices: PriceTable;
  /** Names of the ways to run an agent. Absent: not known, and every name is accepted. */
  adapters?: readonly string[];
  /** Names for models by their use, which agents may have as their `model`. */
  models?: Readonly<Record<string, ModelAlias>>;
  /** Names of the tool servers. Absent or empty: not known, and every name is accepted. */
  toolServers?: readonly string[];
  /** Context given to the agents of every pipeline. */
  context?: Readonly<Record<string, Json>>;
  /** The time zone of triggers that name none. */
  timezone?: string;
  /** The time zone of the machine that compiles, if known. */
  machineTimezone?: string;
  /** Names of the tools that the worker has in addition to the built-in ones. Absent: not known, and every name is accepted. */
  tools?: readonly string[];
  /** Names of the roles that an application has in addition to the built-in ones. */
  roles?: readonly string[];
  /** Those of them that are registered in this process: their definitions go into plans. */
  registeredRoles?: readonly Role[];
  /** The day, as `2031-05-17`. Absent: not known, and no deadline has passed. */
  today?: string;
  /** Whether a folder in which agents are to work is on the machine that compiles. Absent: not known, and none is missing. */
  hasFolder?(path: string): boolean;
}

export const NO_INSTALLATION: Installation = { directory: NOBODY, channels: [], prices: { models: {} } };
