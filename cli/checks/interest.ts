import type { AdapterWish } from '../../plan/agents/adapter-choice';
import { chooseAdapterHere, type LocalAdapterSettings } from '../pipelines/run-by';

/** Which adapters are of interest, by name. */
export interface Interest {
  /** Set up in `thermidor.yaml`, or named the default: what they lack is a shortcoming. */
  setUp: ReadonlySet<string>;
  /** Agents of the folder's pipelines are run by them, or would be where there are none yet. */
  used: ReadonlySet<string>;
}

/** The default that nobody chose and nobody is run by is of none. */
export function interestOf(agents: readonly AdapterWish[], settings: LocalAdapterSettings): Interest {
  const { adapters, defaultAdapter, models } = settings;
  const chosen = defaultAdapter.source === 'default' ? [] : [defaultAdapter.value];
  const named = Object.values(models.value).flatMap(({ adapter }) => adapter ?? []);
  const running = agents.length === 0 ? [defaultAdapter.value] : agents.map((agent) => chooseAdapterHere(agent, settings).adapter);
  return { setUp: new Set([...Object.keys(adapters.value), ...chosen]), used: new Set([...named, ...running]) };
}
