import { withPages } from '../../activities/containers/list-pages';
import type { ListPage } from '../../plan/steps/container-activities';
import { workshop } from './workshop';

const NUMBERS = { list: 'tasks', by: 'number' } as const;
const row = (number: number) => ({ number });

/** Two pages, in the order in which their tasks were done. */
async function pages() {
  const { artifacts } = workshop({});
  const put = (page: ListPage) => artifacts.put(JSON.stringify(page), { mediaType: 'application/json', name: 'page' });
  const first = await put({ before: null, items: [row(3), row(1)] });
  return { artifacts, first, last: await put({ before: first, items: [row(2), row(5)] }) };
}

test('a list that goes on in pages is whole, in its order', async () => {
  const { artifacts, last } = await pages();
  const value = { end: 'done', tasks: [row(6), row(4)] };
  expect(await withPages({ artifacts }, { kind: 'pages', value, ...NUMBERS, last })).toEqual({
    end: 'done',
    tasks: [1, 2, 3, 4, 5, 6].map(row),
  });
});

test('of a list that is too long it has the latest, and the page before them', async () => {
  const { artifacts, first, last } = await pages();
  const read = await withPages({ artifacts }, { kind: 'pages', value: { tasks: [row(6)] }, ...NUMBERS, last }, last.sizeBytes);
  expect(read).toEqual({ tasks: [2, 5, 6].map(row), earlier: { ...first } });
});

test('a page that is gone is no short list', async () => {
  const { artifacts, last } = await pages();
  const lost = { ...last, sha256: 'f'.repeat(64) };
  await expect(withPages({ artifacts }, { kind: 'pages', value: {}, ...NUMBERS, last: lost })).rejects.toMatchObject({
    code: 'artifact.missing',
  });
});
