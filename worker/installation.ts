import type { Installation } from '../compiler/installation';
import type { AdapterSpec, ModelAlias, ToolServerSpec } from '../plan/agents/adapter';
import type { PriceTable } from '../plan/budgets/price';
import { defined } from '../plan/defined';
import { type Directory, NOBODY } from '../plan/people/people';
import type { ChannelSpec } from '../plan/plan';
import type { Json } from '../plan/text/json';
import { adapterNames } from './adapter-specs';

/** The settings of a place that go into the plans made there. */
export interface PlaceSettings {
  channels: Readonly<Record<string, ChannelSpec>>;
  /** Who decides. @default nobody is known, and every name is accepted */
  directory?: Directory;
  /** @default no model's price is known */
  prices?: PriceTable;
  /** Adapters laid over the built-in ones. @default nothing is set up */
  adapters?: Readonly<Record<string, AdapterSpec>>;
  /** Names of models by their use. @default none */
  models?: Readonly<Record<string, ModelAlias>>;
  /** Servers of tools that agents may call, by name. @default none */
  toolServers?: Readonly<Record<string, ToolServerSpec>>;
  /** The context of the agents of every pipeline. @default nothing */
  context?: Readonly<Record<string, Json>>;
  /** The time zone of triggers that name none. @default 'UTC' */
  timezone?: string | undefined;
}

function approversOf(channels: PlaceSettings['channels']): Record<string, string[]> {
  return Object.fromEntries(Object.entries(channels).flatMap(([name, { approvers }]) => (approvers ? [[name, approvers]] : [])));
}

/** The installation of clients that compile, too: a plan that a client freezes equals the one that a worker would make. */
export function installationOf(settings: PlaceSettings): Installation {
  const {
    channels,
    directory = NOBODY,
    prices = { models: {} },
    adapters = {},
    models = {},
    toolServers = {},
    context = {},
    timezone,
  } = settings;
  return {
    directory,
    channels: Object.keys(channels),
    approvers: approversOf(channels),
    prices,
    adapters: adapterNames(adapters),
    models,
    toolServers: Object.keys(toolServers),
    context,
    ...defined({ timezone }),
  };
}
