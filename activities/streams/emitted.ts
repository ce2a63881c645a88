import { goesOverItems } from '../../kinds/questions';
import { defined } from '../../plan/defined';
import { spelledAtPath } from '../../plan/expressions/evaluate';
import type { Path } from '../../plan/expressions/expression';
import { CONTROL_VALUES_LIMIT_BYTES } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import { pathKey } from '../../plan/steps/step-activity';
import { type EmittedInput, type EmittedItem, type EmittedOutput, takenToNote } from '../../plan/steps/stream';
import type { Json } from '../../plan/text/json';
import { spelledObject } from '../../plan/text/spelled-json';
import type { RunKey } from '../../records/ledger';
import type { ActivityCall } from '../activity-call';
import { itemName, namedLoop } from '../containers/item-names';
import { loadRun } from '../run/load-run';
import { inputScope } from '../run/template-scope';
import { storedList, storedSpelled, storedValue } from '../stored/stored-values';
import type { Toolbox } from '../toolbox';
import { readItemLog, takenLog } from './item-log';
import { storeEmitted } from './open-stream';

/** The limit of one answer, as JSON: all of it enters history. */
const PAGE_CHARACTERS = 100_000;

/**
 * The items that a producer has emitted since the run last looked. It also notes how many the run has taken, and with `close` makes a list
 * of all items, which a rerun goes over (`carried`).
 *
 * Fails with `values.too-large`, naming the item and the path; `store.unavailable`.
 */
export async function emitted(toolbox: Toolbox, { key }: ActivityCall, input: EmittedInput): Promise<EmittedOutput> {
  const { stream, after, lines, unbounded, close, carried } = input;
  const reading: Reading = { after, paths: input.paths, nameOf: await namer(toolbox, key, input) };
  if (carried) {
    const known: unknown = await storedList(toolbox.artifacts, carried);
    return { ...(await pageOf(toolbox, (known as EmittedItem[]).slice(after), reading)), again: [], lines };
  }
  const log = await readItemLog(toolbox, key, stream);
  const taken = takenToNote(input, log.items.length);
  await toolbox.ledger.note(key, takenLog(stream), { taken, ...defined({ unbounded }) });
  const page = await pageOf(toolbox, log.items.slice(after), reading);
  if (page.more) return { ...page, again: [], lines, taken };
  const again = log.again
    .filter(({ line }) => line >= lines)
    .map(({ key: same, from }) => ({ key: same, ...('by' in from ? { by: from.by } : {}) }));
  const output = { ...page, again, lines: log.lines, taken };
  if (!close) return output;
  return { ...output, list: await storeEmitted(toolbox, { key, name: stream, step: close.step }) };
}

async function pageOf(
  toolbox: Toolbox,
  items: readonly EmittedItem[],
  { after, paths, nameOf }: Reading,
): Promise<Pick<EmittedOutput, 'items' | 'more'>> {
  const page: EmittedItem[] = [];
  let characters = 0;
  for (const [at, { item, key, depends, files }] of items.entries()) {
    const name = await nameOf?.({ item, key }, after + at);
    const found: EmittedItem = {
      item,
      key,
      ...defined({ depends, files, name, values: paths && (await valuesOf(toolbox, { item, key }, paths)) }),
    };
    characters += JSON.stringify(found).length;
    if (page.length > 0 && characters > PAGE_CHARACTERS) return { items: page, more: true };
    page.push(found);
  }
  return { items: page };
}

/** The read values of each item, and the position of the first. */
interface Reading {
  after: number;
  paths: readonly Path[] | undefined;
  nameOf: ((item: EmittedItem, index: number) => Promise<string | undefined>) | undefined;
}

/** An item without a label is named by itself, if it is short, or by its key. It is read only for that, and for a label. */
async function namer(toolbox: Toolbox, key: RunKey, { loop: id }: EmittedInput): Promise<Reading['nameOf']> {
  if (id === undefined) return undefined;
  const run = await loadRun(toolbox, key);
  const step = run.steps.get(id);
  if (!step || !goesOverItems(step)) return undefined;
  const loop = namedLoop(step);
  const scope = await inputScope(toolbox, run, {}, 'store');
  return async ({ item, key: itemKey }, index) => {
    const isRead = loop.label !== undefined || item.sizeBytes <= MOST_READ_BYTES;
    const value = isRead ? storedSpelled(await storedValue(toolbox.artifacts, item)) : undefined;
    const own = value === undefined ? undefined : itemName(value, index, loop, scope, scope.secrets);
    return own ?? (loop.label || itemKey === null ? undefined : itemName(itemKey, index, loop, scope, scope.secrets));
  };
}
const MOST_READ_BYTES = 256;

/** The values of an item that control reads. */
async function valuesOf({ artifacts }: Toolbox, { item, key }: EmittedItem, paths: readonly Path[]): Promise<Record<string, Json>> {
  const { value } = await storedValue(artifacts, item);
  const values = spelledObject(paths.map((path) => [pathKey(path), spelledAtPath(value, path)]));
  const sizeBytes = Buffer.byteLength(JSON.stringify(values));
  if (sizeBytes <= CONTROL_VALUES_LIMIT_BYTES) return values;
  const [path = ''] = Object.entries(values).reduce((a, b) => (JSON.stringify(b[1]).length > JSON.stringify(a[1]).length ? b : a));
  throw new ThermidorFailure(
    'values.too-large',
    `the run reads ${sizeBytes} bytes of item ${JSON.stringify(key)}, most of it "${path}"; at most ${CONTROL_VALUES_LIMIT_BYTES} may control a run`,
    { path, sizeBytes, limitBytes: CONTROL_VALUES_LIMIT_BYTES },
  );
}
