import { ThermidorFailure } from '../../plan/run/failure';
import type { RecordedItem } from '../../plan/steps/stream';
import { canonicalJson } from '../../plan/text/json';
import { asJson } from '../../records/stored-json';
import type { ActivityPorts } from '../activity-ports';
import { isRepetition, readItemLog } from './item-log';
import type { OpenStream } from './stream-types';

/**
 * Records stored items, in order and durably, all in one write. Items emitted before by the same act, or by another try of the producer,
 * are not recorded twice: so a crash that leaves only the first of them loses and repeats nothing. Returns the ids of those whose key
 * another act has emitted before.
 *
 * Fails with `stream.too-many-items`, once all before the first excess one are recorded; `store.unavailable`.
 */
export async function recordItems(
  toolbox: Pick<ActivityPorts, 'ledger'>,
  { key: run, name, step, spec }: OpenStream,
  items: readonly RecordedItem[],
): Promise<Set<string>> {
  const log = await readItemLog(toolbox, run, name);
  const firsts = new Map<string, RecordedItem>();
  const repeated = new Set<string>();
  const lines: RecordedItem[] = [];
  const again = new Set<string>();
  let areTooMany = false;
  for (const item of items) {
    const key = canonicalJson(item.key);
    const before = log.first(item.key) ?? firsts.get(key);
    if (!before) {
      areTooMany = log.items.length + firsts.size >= spec.maxItems;
      if (areTooMany) break;
      firsts.set(key, item);
      lines.push(item);
    } else if (before.id !== item.id) {
      again.add(item.id);
      // Once is enough to say that it came again: a producer that never stops saying it fills no log.
      if (isRepetition(before, item) || log.hasAgain(item.key) || repeated.has(key)) continue;
      repeated.add(key);
      lines.push(item);
    }
  }
  if (lines.length > 0) await toolbox.ledger.append(run, name, ...lines.map(asJson));
  if (!areTooMany) return again;
  const message = `step "${step}" emits more than ${spec.maxItems} items (max_items)`;
  throw new ThermidorFailure('stream.too-many-items', message, { step, maxItems: spec.maxItems });
}
