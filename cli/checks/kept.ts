import { existsSync } from 'node:fs';
import { ThermidorFailure } from '../../plan/run/failure';
import { bytes } from '../rendering/text/usage';
import type { Configuration } from '../settings/configuration';
import { recordsOf } from '../settings/records';
import type { Check } from './check';

/** How much the store has of each kind. A store that cannot be used is reported by its own check. */
export async function checkKept(configuration: Configuration): Promise<Check[]> {
  const { store, stateDir } = configuration;
  if (store.value === undefined && !existsSync(stateDir.value)) return [];
  try {
    const { retention, oldContent } = recordsOf(configuration);
    const { runs, logs, environments, links } = await retention.amounts();
    const content = await oldContent.amount();
    const kinds = { runs, logs, 'outputs, plans and the like': content, environments, 'links of gates': links };
    const says = Object.entries(kinds).map(([kind, amount]) => `${amount.count} ${kind} ${bytes(amount.bytes)}`);
    return [{ name: 'kept', state: 'ok', says: says.join(', ') }];
  } catch (error) {
    if (error instanceof ThermidorFailure) return [];
    throw error;
  }
}
