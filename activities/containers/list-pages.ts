import { CONTROL_VALUES_LIMIT_BYTES, isArtifactRef } from '../../plan/run/artifact';
import type { Composition, ListPage } from '../../plan/steps/container-activities';
import { field, isJsonObject, type Json } from '../../plan/text/json';
import { jsonText } from '../../plan/text/json-text';
import { asJson, getJson } from '../../records/stored-json';
import { storedValue } from '../stored/stored-values';
import type { Toolbox } from '../toolbox';
import type { Composed } from './compose-lists';

/** Half of what the store takes as one output: the rest of the value needs room, too. */
const PAGED_BYTES = 8 * 1024 * 1024;
/** For the paths of what is read. */
const MARGIN_BYTES = 1024;

/**
 * The value with its whole list. If that is too long, it has the last items, and the page before them in its field `earlier`; so has what
 * expressions read of it, in which texts stay short unless all are short enough. Fails with `artifact.missing`.
 */
export async function composePages(
  { artifacts }: Pick<Toolbox, 'artifacts'>,
  { value, list, by, last, whole = {} }: Extract<Composition, { kind: 'pages' }>,
  mostBytes = PAGED_BYTES,
): Promise<Composed> {
  const own = value[list];
  const items = Array.isArray(own) ? [...own] : [];
  let sizeBytes = 0;
  let before: ListPage['before'] = last;
  while (before && sizeBytes + before.sizeBytes <= mostBytes) {
    sizeBytes += before.sizeBytes;
    const page: ListPage = await getJson<ListPage>(artifacts, before, 'a page of a list');
    items.push(...page.items);
    before = page.before;
  }
  const at = (item: Json) => Number(field(item, by));
  items.sort((a, b) => at(a) - at(b));
  const withItems = (some: readonly Json[], earlier: ListPage['before']): Json => ({
    ...value,
    [list]: [...some],
    ...(earlier ? { earlier: asJson(earlier) } : {}),
  });
  const long = await withTexts(artifacts, items, whole, mostBytes - sizeOf(items));
  const content = jsonText(withItems(long, before));
  const room = CONTROL_VALUES_LIMIT_BYTES - MARGIN_BYTES - sizeOf(withItems([], before));
  if (firstThatFits(long, room) === 0) return { content, value: withItems(long, before) };
  const from = firstThatFits(items, room);
  if (from === 0) return { content, value: withItems(items, before) };
  const page: ListPage = { before, items: items.slice(0, from) };
  const earlier = await artifacts.put(jsonText(asJson(page)), { mediaType: 'application/json', name: `${list}.json` });
  return { content, value: withItems(items.slice(from), earlier) };
}

/** The value with whole texts in the place of their beginnings; expressions read those if they have room. */
export async function composeWhole(
  { artifacts }: Pick<Toolbox, 'artifacts'>,
  value: Json,
  whole: Readonly<Record<string, string>>,
): Promise<Composed> {
  const [long = value] = await withTexts(artifacts, [value], whole, PAGED_BYTES);
  return { content: jsonText(long), value: sizeOf(long) <= CONTROL_VALUES_LIMIT_BYTES - MARGIN_BYTES ? long : value };
}

/** Items with whole texts in the place of their beginnings, from the last one on, until a text has no room. */
async function withTexts(
  artifacts: Toolbox['artifacts'],
  given: readonly Json[],
  whole: Readonly<Record<string, string>>,
  roomBytes: number,
): Promise<Json[]> {
  const items = [...given];
  let room = roomBytes;
  for (let at = items.length - 1; at >= 0; at--) {
    for (const [beginning, named] of Object.entries(whole)) {
      const item = items[at];
      const ref: unknown = field(item, named);
      if (!isJsonObject(item) || !isArtifactRef(ref)) continue;
      if (ref.sizeBytes > room) return items;
      const { text } = await storedValue(artifacts, ref);
      room -= sizeOf(text);
      if (room < 0) return items;
      const { [named]: _ref, ...others } = item;
      items[at] = { ...others, [beginning]: text };
    }
  }
  return items;
}

/** The place from which on all items fit. */
function firstThatFits(items: readonly Json[], room: number): number {
  let used = 0;
  const last = items.findLastIndex((item) => {
    used += sizeOf(item) + 1;
    return used > room;
  });
  return last + 1;
}

function sizeOf(value: Json): number {
  return Buffer.byteLength(jsonText(value));
}
