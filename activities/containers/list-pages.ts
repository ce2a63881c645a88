import type { Composition, ListPage } from '../../plan/steps/container-activities';
import { field, type Json } from '../../plan/text/json';
import { asJson, getJson } from '../../records/stored-json';
import type { Toolbox } from '../toolbox';

/** Half of what the store takes as one output: the rest of the value needs room, too. */
const PAGED_BYTES = 8 * 1024 * 1024;

/** The value with its whole list, or with its last items and the page before them. Fails with `artifact.missing`. */
export async function withPages(
  { artifacts }: Pick<Toolbox, 'artifacts'>,
  { value, list, by, last }: Extract<Composition, { kind: 'pages' }>,
  mostBytes = PAGED_BYTES,
): Promise<Json> {
  const own = value[list];
  const items = Array.isArray(own) ? [...own] : [];
  let sizeBytes = 0;
  let next: ListPage['before'] = last;
  while (next && sizeBytes + next.sizeBytes <= mostBytes) {
    sizeBytes += next.sizeBytes;
    const page: ListPage = await getJson<ListPage>(artifacts, next, 'a page of a list');
    items.push(...page.items);
    next = page.before;
  }
  const at = (item: Json) => Number(field(item, by));
  return { ...value, [list]: items.sort((a, b) => at(a) - at(b)), ...(next ? { earlier: asJson(next) } : {}) };
}
