import { posix } from 'node:path';
import { valueAtPath } from '../../plan/expressions/evaluate';
import type { Path } from '../../plan/expressions/expression';
import { ThermidorFailure } from '../../plan/run/failure';
import { type EmitSpec, MOST_ITEM_BYTES, type RecordedItem } from '../../plan/steps/stream';
import { canonicalJson, type Json } from '../../plan/text/json';
import { asJson, getJson } from '../../records/stored-json';
import type { ActivityPorts } from '../activity-ports';
import { checkSchema } from '../schemas/schema-check';
import { isRepetition, readItemLog, readTaken } from './item-log';
import type { OpenStream } from './stream-types';

/** `again`: an item with that key is there already, and nothing was added. */
export type Emitted = { kind: 'recorded' | 'again' } | { kind: 'refused'; problem: string };

/**
 * Records an item, durably. What was emitted before by the same act, or by another try of the producer, is not recorded twice.
 *
 * Fails with `stream.too-many-items`, `store.unavailable`.
 */
export async function emitItem(
  toolbox: Pick<ActivityPorts, 'artifacts' | 'ledger' | 'matching' | 'log'>,
  { key: run, name, step, spec }: OpenStream,
  value: Json,
  who: Pick<RecordedItem, 'id' | 'from'>,
): Promise<Emitted> {
  const content = canonicalJson(value);
  const sizeBytes = Buffer.byteLength(content);
  if (sizeBytes > MOST_ITEM_BYTES)
    return { kind: 'refused', problem: `it has ${sizeBytes} bytes; an item has at most ${MOST_ITEM_BYTES}: refer to what is larger` };
  const schema = await getJson<Json>(toolbox.artifacts, { sha256: spec.schema }, `the schema of the items of "${step}"`);
  const broken = await checkSchema(toolbox, spec.schema, schema, value);
  if (broken)
    return { kind: 'refused', problem: [...broken.problems, ...broken.missingFields.map((path) => `missing field ${path}`)].join('; ') };
  const item = await toolbox.artifacts.put(content, { mediaType: 'application/json', name: spec.name });
  const key = spec.key === undefined ? item.sha256 : valueAtPath(value, spec.key);
  if (key === null) return { kind: 'refused', problem: `it has no "${spec.key?.join('.')}", which says which item it is` };
  const order = orderOf(value, spec);
  if ('problem' in order) return { kind: 'refused', ...order };
  const log = await readItemLog(toolbox, run, name);
  const before = log.first(key);
  if (before?.id === who.id) return { kind: 'recorded' };
  // Once is enough to say that it came again: a producer that never stops saying it fills no log.
  if (before && (isRepetition(before, who) || log.hasAgain(key))) return { kind: 'again' };
  if (!before && log.items.length >= spec.maxItems) {
    const message = `step "${step}" emits more than ${spec.maxItems} items (max_items)`;
    throw new ThermidorFailure('stream.too-many-items', message, { step, maxItems: spec.maxItems });
  }
  await toolbox.ledger.append(run, name, asJson({ ...who, item, key, ...order } satisfies RecordedItem));
  return { kind: before ? 'again' : 'recorded' };
}

/** Whether as many items wait as may. */
export async function isFull(toolbox: Pick<ActivityPorts, 'ledger'>, { key, name, spec }: OpenStream): Promise<boolean> {
  const [{ items }, taken] = [await readItemLog(toolbox, key, name), await readTaken(toolbox, key, name)];
  return !taken.unbounded && items.length - taken.most >= spec.maxWaiting;
}

const MOST_DEPENDENCIES = 100;
const MOST_FILES = 200;

/** What an item says of others that come before it, and of what it works on. */
function orderOf(value: Json, { depends, files }: EmitSpec): Pick<RecordedItem, 'depends' | 'files'> | { problem: string } {
  const order: Pick<RecordedItem, 'depends' | 'files'> = {};
  const before = depends && listAt(value, depends);
  if (depends && before && (before.length > MOST_DEPENDENCIES || before.some((key) => typeof key === 'object')))
    return { problem: `"${depends.join('.')}" is no list of at most ${MOST_DEPENDENCIES} keys of other items` };
  if (before && before.length > 0) order.depends = before;
  const paths = files && listAt(value, files);
  if (files && paths && (paths.length > MOST_FILES || !paths.every((path) => typeof path === 'string' && path !== '')))
    return { problem: `"${files.join('.')}" is no list of at most ${MOST_FILES} paths` };
  const named = paths?.flatMap((path) => (typeof path === 'string' ? [posix.normalize(path).replace(/(?<=.)\/$/, '')] : [])) ?? [];
  if (named.length > 0) order.files = named;
  return order;
}

/** A list, or one alone. */
function listAt(value: Json, path: Path): Json[] {
  const found = valueAtPath(value, path);
  return found === null ? [] : Array.isArray(found) ? found : [found];
}
