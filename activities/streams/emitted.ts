import { defined } from '../../plan/defined';
import { spelledAtPath } from '../../plan/expressions/evaluate';
import type { Path } from '../../plan/expressions/expression';
import { CONTROL_VALUES_LIMIT_BYTES } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import { pathKey } from '../../plan/steps/step-activity';
import { type EmittedInput, type EmittedItem, type EmittedOutput, takenToNote } from '../../plan/steps/stream';
import type { Json } from '../../plan/text/json';
import { spelledObject } from '../../plan/text/json-text';
import type { ActivityCall } from '../activity-call';
import { storedList, storedValue } from '../stored/stored-values';
import type { Toolbox } from '../toolbox';
import { readItemLog, takenLog } from './item-log';
import { storeEmitted } from './open-stream';

/** Of one answer, as JSON: all of it enters history. */
const PAGE_CHARACTERS = 100_000;

/**
 * What a producer has emitted since the run last looked. It also notes how much the run has taken up by now, and with `close` makes a list of all items, which
 * a rerun goes over (`carried`).
 *
 * Fails with `values.too-large`, naming the item and the path; `store.unavailable`.
 */
export async function emitted(toolbox: Toolbox, { key }: ActivityCall, input: EmittedInput): Promise<EmittedOutput> {
  const { stream, after, lines, unbounded, paths, close, carried } = input;
  if (carried) {
    const known: unknown = await storedList(toolbox.artifacts, carried);
    return { ...(await pageOf(toolbox, (known as EmittedItem[]).slice(after), paths)), again: [], lines };
  }
  const log = await readItemLog(toolbox, key, stream);
  const taken = takenToNote(input, log.items.length);
  await toolbox.ledger.note(key, takenLog(stream), { taken, ...defined({ unbounded }) });
  const page = await pageOf(toolbox, log.items.slice(after), paths);
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
  paths: readonly Path[] | undefined,
): Promise<Pick<EmittedOutput, 'items' | 'more'>> {
  const page: EmittedItem[] = [];
  let characters = 0;
  for (const { item, key, depends, files } of items) {
    const found: EmittedItem = {
      item,
      key,
      ...defined({ depends, files }),
      ...(paths ? { values: await valuesOf(toolbox, { item, key }, paths) } : {}),
    };
    characters += JSON.stringify(found).length;
    if (page.length > 0 && characters > PAGE_CHARACTERS) return { items: page, more: true };
    page.push(found);
  }
  return { items: page };
}

/** What control reads of an item. */
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
