import type { RecordedItem } from '../../plan/steps/stream';
import type { Json } from '../../plan/text/json';
import type { ActivityPorts } from '../activity-ports';
import { checkItems } from './check-items';
import { recordItems } from './record-items';
import type { OpenStream } from './stream-types';

/** `again`: there is already an item with that key, and it is not taken twice. */
export type Emitted = { kind: 'recorded' | 'again' } | { kind: 'refused'; problem: string };

/**
 * Records an item, durably. An item emitted before by the same act, or by another try of the producer, is not recorded twice.
 *
 * Fails with `stream.too-many-items`, `store.unavailable`.
 */
export async function emitItem(
  toolbox: Pick<ActivityPorts, 'artifacts' | 'ledger' | 'matching' | 'log'>,
  stream: OpenStream,
  value: Json,
  who: Pick<RecordedItem, 'id' | 'from'>,
): Promise<Emitted> {
  const { items, problem } = await checkItems(toolbox, stream, [{ ...who, value }]);
  if (problem !== undefined) return { kind: 'refused', problem };
  const again = await recordItems(toolbox, stream, items);
  return { kind: again.has(who.id) ? 'again' : 'recorded' };
}
