import { composePages } from '../../activities/containers/list-pages';
import type { ListPage } from '../../plan/steps/container-activities';
import { field, type Json } from '../../plan/text/json';
import { workshop } from './workshop';

const NUMBERS = { kind: 'pages', list: 'tasks', by: 'number' } as const;
const row = (number: number) => ({ number });
const listIn = (value: unknown): Json[] => {
  const found = field(value as Json, 'tasks');
  return Array.isArray(found) ? found : [];
};

/** Two pages, in the order in which their tasks were done. */
async function pages() {
  const { artifacts } = workshop({});
  const put = (page: ListPage) => artifacts.put(JSON.stringify(page), { mediaType: 'application/json', name: 'page' });
  const first = await put({ before: null, items: [row(3), row(1)] });
  return { artifacts, first, last: await put({ before: first, items: [row(2), row(5)] }) };
}

test('a list that goes on in pages is whole, in its order', async () => {
  const { artifacts, last } = await pages();
  const whole = { end: 'done', tasks: [1, 2, 3, 4, 5, 6].map(row) };
  const { content, value } = await composePages({ artifacts }, { ...NUMBERS, value: { end: 'done', tasks: [row(6), row(4)] }, last });
  expect(JSON.parse(String(content))).toEqual(whole);
  expect(value).toEqual(whole);
});

test('a list without pages is as it is', async () => {
  const { artifacts } = await pages();
  const { content } = await composePages({ artifacts }, { ...NUMBERS, value: { tasks: [row(1)] }, last: null });
  expect(JSON.parse(String(content))).toEqual({ tasks: [row(1)] });
});

test('of a list that is too long it has the latest, and the page before them', async () => {
  const { artifacts, first, last } = await pages();
  const { content } = await composePages({ artifacts }, { ...NUMBERS, value: { tasks: [row(6)] }, last }, last.sizeBytes);
  expect(JSON.parse(String(content))).toEqual({ tasks: [2, 5, 6].map(row), earlier: { ...first } });
});

test('expressions read the latest that fit, and a page that has the others; the output has all', async () => {
  const { artifacts, last } = await pages();
  const long = Array.from({ length: 400 }, (_, i) => ({ number: i + 10, result: 'r'.repeat(200) }));
  const { content, value } = await composePages({ artifacts }, { ...NUMBERS, value: { tasks: long }, last });
  expect(listIn(JSON.parse(String(content)))).toHaveLength(404);
  const read = listIn(value);
  expect(Buffer.byteLength(JSON.stringify(value))).toBeLessThanOrEqual(64 * 1024);
  expect(read.length).toBeGreaterThan(200);
  expect(read.at(-1)).toEqual(long.at(-1));
  const earlier = field(value as Json, 'earlier');
  const page = JSON.parse((await artifacts.get({ sha256: String(field(earlier, 'sha256')) })).toString()) as ListPage;
  expect(page.before).toBeNull();
  expect(page.items).toHaveLength(404 - read.length);
});

describe('texts of which the items have the beginning', () => {
  const whole = { result: 'result_whole' };
  async function results(...lengths: number[]) {
    const { artifacts } = await pages();
    const rows = lengths.map(async (length, i) => {
      const { sha256, sizeBytes, mediaType } = await artifacts.put(`${i}`.repeat(length), { mediaType: 'text/plain', name: 'result.md' });
      return { number: i, result: `${i}…`, result_whole: { sha256, sizeBytes, mediaType } };
    });
    return { artifacts, tasks: await Promise.all(rows) };
  }

  test('are whole in the output, and where expressions read them if all have room there', async () => {
    const { artifacts, tasks } = await results(300, 500);
    const { content, value } = await composePages({ artifacts }, { ...NUMBERS, value: { tasks }, last: null, whole });
    const expected = [300, 500].map((length, number) => ({ number, result: `${number}`.repeat(length) }));
    expect(listIn(JSON.parse(String(content)))).toEqual(expected);
    expect(listIn(value)).toEqual(expected);
  });

  test('stay beginnings for expressions if they are too long', async () => {
    const { artifacts, tasks } = await results(60_000, 60_000);
    const { content, value } = await composePages({ artifacts }, { ...NUMBERS, value: { tasks }, last: null, whole });
    expect(listIn(JSON.parse(String(content))).map((row) => String(field(row, 'result')).length)).toEqual([60_000, 60_000]);
    expect(listIn(value)).toEqual(tasks);
  });

  test('are whole from the last item on, as far as there is room', async () => {
    const { artifacts, tasks } = await results(1000, 1000, 1000);
    const { content } = await composePages({ artifacts }, { ...NUMBERS, value: { tasks }, last: null, whole }, 2900);
    const [first, ...others] = listIn(JSON.parse(String(content)));
    expect(first).toEqual(tasks[0]);
    expect(others.map((row) => String(field(row, 'result')).length)).toEqual([1000, 1000]);
  });
});

test('a page that is gone is no short list', async () => {
  const { artifacts, last } = await pages();
  const lost = { ...last, sha256: 'f'.repeat(64) };
  await expect(composePages({ artifacts }, { ...NUMBERS, value: {}, last: lost })).rejects.toMatchObject({
    code: 'artifact.missing',
  });
});
