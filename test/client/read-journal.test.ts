import type { ThermidorClient } from '../../client/connect';
import { journalPages, readJournal } from '../../client/read-journal';
import type { ArtifactRef } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import { JOURNAL_PAGE_ENTRIES, type JournalEntry, type JournalView } from '../../plan/run/journal';
import type { Json } from '../../plan/text/json';
import type { OutputDigest } from '../../records/artifact-store';
import { command } from '../support/steps';
import { artifact, planOf, runPlan, type World } from '../support/world';

/** A client whose one run answers from memory. */
function clientOf(query: (name: string, argument: unknown) => unknown): ThermidorClient {
  return {
    call: (request: () => unknown) => request(),
    temporal: { workflow: { getHandle: () => ({ query: async (name: string, argument: unknown) => query(name, argument) }) } },
  } as unknown as ThermidorClient;
}

/** A store that has so much by name. */
function storeWith(contentOf: (name: string) => Json | undefined): { get(ref: OutputDigest): Promise<Buffer> } {
  return { get: async (ref) => Buffer.from(JSON.stringify(contentOf((ref as ArtifactRef).name ?? '') ?? null)) };
}

function storeOf({ pages }: World): ReturnType<typeof storeWith> {
  const byName = new Map(pages.map((entries, i) => [artifact(`page-${i + 1}`).name, entries]));
  return storeWith((name) => {
    const entries = byName.get(name);
    if (!entries) throw new ThermidorFailure('artifact.missing', `no page ${name}`);
    return entries as unknown as Json;
  });
}

const entry = (seq: number): JournalEntry => ({ seq, at: '2026-11-21T07:30:00.000Z', kind: 'run', state: 'running' });
const view = (more: Partial<JournalView>): JournalView => ({ pages: [], entries: [], nextSeq: 1, ...more });

test('a run of 3,000 steps over several executions has its whole journal, a page in memory at a time', async () => {
  const steps = 3_000;
  const world = runPlan(planOf(Array.from({ length: steps }, (_, i) => command(`s${i}`))), { activitiesPerExecution: 1_200 });
  await world.result;
  expect(world.executions).toBeGreaterThan(2);
  const numbers: number[] = [];
  let begun = 0;
  let largest = 0;
  for await (const page of journalPages(
    clientOf((name, argument) => world.query(name, argument)),
    'run',
    storeOf(world),
  )) {
    largest = Math.max(largest, page.length);
    for (const one of page) {
      numbers.push(one.seq);
      if (one.kind === 'step' && one.state === 'running') begun += 1;
    }
  }
  expect(begun).toBe(steps);
  const { nextSeq } = world.query('journal') as JournalView;
  expect(numbers).toEqual(Array.from({ length: nextSeq - 1 }, (_, i) => i + 1));
  expect(largest).toBeLessThanOrEqual(JOURNAL_PAGE_ENTRIES);
});

test('what comes after a number begins in the middle of a page', async () => {
  const world = runPlan(planOf(Array.from({ length: 300 }, (_, i) => command(`s${i}`))));
  await world.result;
  const whole = await readJournal(
    clientOf((name, argument) => world.query(name, argument)),
    'run',
    storeOf(world),
  );
  const rest = await readJournal(
    clientOf((name, argument) => world.query(name, argument)),
    'run',
    storeOf(world),
    100,
  );
  expect(rest).toEqual(whole.slice(100));
});

test.each<[string, JournalView, Record<string, Json>]>([
  ['between a page and what is in no page yet', view({ entries: [entry(3)] }), {}],
  ['within a page', view({ pages: [{ fromSeq: 1, toSeq: 3, ref: artifact('p') }] }), { p: [entry(1), entry(3)] as unknown as Json }],
  ['at the end of a page', view({ pages: [{ fromSeq: 1, toSeq: 3, ref: artifact('p') }] }), { p: [entry(1), entry(2)] as unknown as Json }],
  ['for a page that is no list', view({ pages: [{ fromSeq: 1, toSeq: 3, ref: artifact('p') }] }), { p: 'rubbish' }],
])('a gap is reported and not passed over: %s', async (_, answer, store) => {
  const read = readJournal(
    clientOf(() => answer),
    'run',
    storeWith((name) => store[name]),
  );
  await expect(read).rejects.toMatchObject({ code: 'run.unreadable' });
});

test('a page that is not in the store is reported by the store', async () => {
  const answer = view({ pages: [{ fromSeq: 1, toSeq: 3, ref: artifact('p') }] });
  const away = storeWith(() => {
    throw new ThermidorFailure('artifact.missing', 'gone');
  });
  await expect(
    readJournal(
      clientOf(() => answer),
      'run',
      away,
    ),
  ).rejects.toMatchObject({ code: 'artifact.missing' });
});

test('an entry that is both in a page and in the run is returned once', async () => {
  const answer = view({ pages: [{ fromSeq: 1, toSeq: 2, ref: artifact('p') }], entries: [entry(2), entry(3)] });
  const entries = await readJournal(
    clientOf(() => answer),
    'run',
    storeWith(() => [entry(1), entry(2)] as unknown as Json),
  );
  expect(entries.map(({ seq }) => seq)).toEqual([1, 2, 3]);
});
