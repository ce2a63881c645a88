import { posix } from 'node:path';
import { defined } from '../../plan/defined';
import { valueAtPath } from '../../plan/expressions/evaluate';
import type { Path } from '../../plan/expressions/expression';
import { type EmitSpec, MOST_ITEM_BYTES, type RecordedItem } from '../../plan/steps/stream';
import type { Json } from '../../plan/text/json';
import { canonicalText } from '../../plan/text/json-text';
import { getJson } from '../../records/stored-json';
import type { ActivityPorts } from '../activity-ports';
import { checkSchema } from '../schemas/schema-check';
import type { OpenStream, SaidItem } from './stream-types';

/** A valid item, before it is stored. No key: its content identifies it. */
interface SoundItem extends Pick<RecordedItem, 'id' | 'from' | 'depends' | 'files'> {
  content: string;
  key?: Json;
}

interface Refusal {
  problem: string;
}

/**
 * Checks items in order, and stores those before the first invalid one, in parallel: the caller bounds how many there are. Returns them
 * ready to be recorded, and the problem of the invalid one.
 *
 * Fails with `store.unavailable`.
 */
export async function checkItems(
  toolbox: Pick<ActivityPorts, 'artifacts' | 'matching' | 'log'>,
  { step, spec }: OpenStream,
  said: readonly SaidItem[],
): Promise<{ items: RecordedItem[]; problem?: string }> {
  const schema = await getJson<Json>(toolbox.artifacts, { sha256: spec.schema }, `the schema of the items of "${step}"`);
  const sound: SoundItem[] = [];
  let problem: string | undefined;
  for (const one of said) {
    const checked = await checkItem(toolbox, spec, schema, one);
    if ('problem' in checked) {
      problem = checked.problem;
      break;
    }
    sound.push(checked);
  }
  return { items: await storeItems(toolbox, spec, sound), ...defined({ problem }) };
}

async function checkItem(
  toolbox: Pick<ActivityPorts, 'matching' | 'log'>,
  spec: EmitSpec,
  schema: Json,
  { id, from, value }: SaidItem,
): Promise<SoundItem | Refusal> {
  const content = canonicalText(value);
  const sizeBytes = Buffer.byteLength(content);
  if (sizeBytes > MOST_ITEM_BYTES)
    return { problem: `it has ${sizeBytes} bytes; an item has at most ${MOST_ITEM_BYTES}: refer to what is larger` };
  const broken = await checkSchema(toolbox, spec.schema, schema, value);
  if (broken) return { problem: [...broken.problems, ...broken.missingFields.map((path) => `missing field ${path}`)].join('; ') };
  const key = spec.key && valueAtPath(value, spec.key);
  if (key === null) return { problem: `it has no "${spec.key?.join('.')}", which identifies an item` };
  const order = orderOf(value, spec);
  return 'problem' in order ? order : { id, from, content, ...defined({ key }), ...order };
}

/** All are durable when it returns: items that a crash damages before that are in no log, and are stored anew. */
async function storeItems(
  { artifacts }: Pick<ActivityPorts, 'artifacts'>,
  { name }: EmitSpec,
  sound: readonly SoundItem[],
): Promise<RecordedItem[]> {
  const batch = artifacts.batch();
  const items = await Promise.all(
    sound.map(async ({ id, from, content, key, ...order }): Promise<RecordedItem> => {
      const item = await batch.put(content, { mediaType: 'application/json', name });
      return { id, from, item, key: key ?? item.sha256, ...order };
    }),
  );
  await batch.sync();
  return items;
}

const MOST_DEPENDENCIES = 100;
const MOST_FILES = 200;

/** The items that must come before an item, and the files that it works on. */
function orderOf(value: Json, { depends, files }: EmitSpec): Pick<RecordedItem, 'depends' | 'files'> | Refusal {
  const order: Pick<RecordedItem, 'depends' | 'files'> = {};
  const before = depends && listAt(value, depends);
  if (depends && before && (before.length > MOST_DEPENDENCIES || before.some((key) => typeof key === 'object')))
    return { problem: `"${depends.join('.')}" is not a list of at most ${MOST_DEPENDENCIES} keys of other items` };
  if (before && before.length > 0) order.depends = before;
  const paths = files && listAt(value, files);
  if (files && paths && (paths.length > MOST_FILES || !paths.every((path) => typeof path === 'string' && path !== '')))
    return { problem: `"${files.join('.')}" is not a list of at most ${MOST_FILES} paths` };
  const named = paths?.flatMap((path) => (typeof path === 'string' ? [posix.normalize(path).replace(/(?<=.)\/$/, '')] : [])) ?? [];
  if (named.length > 0) order.files = named;
  return order;
}

/** A list, or a single value. */
function listAt(value: Json, path: Path): Json[] {
  const found = valueAtPath(value, path);
  return found === null ? [] : Array.isArray(found) ? found : [found];
}
