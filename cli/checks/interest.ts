import type { AdapterWish } from '../../plan/agents/adapter-choice';
import { chooseAdapterHere, type LocalAdapterSettings } from '../pipelines/run-by';

/** Which adapters are of interest, by name. */
export interface Interest {
  /** Set up in `thermidor.yaml`, or named as the default: what they lack is a failure. */
  setUp: ReadonlySet<string>;
  /** They run agents of the folder's pipelines, or would if there were any. */
  used: ReadonlySet<string>;
}

/** Which adapters to check. A default that nobody chose and no agent uses is not checked. */
export function interestOf(agents: readonly AdapterWish[], settings: LocalAdapterSettings): Interest {
  const { adapters, defaultAdapter, models } = settings;
  const chosen = defaultAdapter.source === 'default' ? [] : [defaultAdapter.value];
  const named = Object.values(models.value).flatMap(({ adapter }) => adapter ?? []);
  const running = agents.length === 0 ? [defaultAdapter.value] : agents.map((agent) => chooseAdapterHere(agent, settings).adapter);
  return { setUp: new Set([...Object.keys(adapters.value), ...chosen]), used: new Set([...named, ...running]) };
}
