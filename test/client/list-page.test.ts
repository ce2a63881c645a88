import type { ThermidorClient } from '../../client/connect';
import { listEnded } from '../../client/list-ended';
import { listPage, type RunPage } from '../../client/list-page';
import type { RunFilter } from '../../client/list-runs';
import type { RunSummary } from '../../client/run-summary';
import { compareEnds } from '../../records/runs/listed-end';

const PAGE = 100;
const RUNNING = 1;
const COMPLETED = 2;
interface Execution {
  id: string;
  status?: number;
  closedS?: number;
  memo?: object;
}

/** A server with executions, the last closed first, and a store with the records of some runs. */
function clientOf(executions: readonly Execution[], recorded: readonly RunSummary[] = [], attributes: object | Error = {}) {
  const queries: string[] = [];
  const list = async function* (_filter: unknown, after?: { run: string; endedAt: string }) {
    const ends = recorded.map((run) => ({ ...run, endedAt: run.endedAt ?? '' })).sort(compareEnds);
    for (const run of ends) if (after === undefined || compareEnds(run, after) > 0) yield [run];
  };
  const rawOf = ({ id, status = COMPLETED, closedS, memo = {} }: Execution) => ({
    ...{ execution: { workflowId: id, runId: `${id}-x` }, type: { name: 'p' }, status, startTime: { seconds: 1000 } },
    ...(closedS === undefined ? {} : { closeTime: { seconds: closedS } }),
    memo: {
      fields: Object.fromEntries(
        Object.entries(memo).map(([key, value]) => [
          key,
          { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from(value === 'torn' ? '{' : JSON.stringify(value)) },
        ]),
      ),
    },
  });
  const client = {
    ...{ namespace: 'n', taskQueue: 'q', call: (request: () => unknown) => request() },
    ended: { list, find: async () => undefined, read: async () => undefined },
    connection: {
      operatorService: {
        listSearchAttributes: async () => {
          if (attributes instanceof Error) throw attributes;
          return { customAttributes: attributes };
        },
      },
    },
    temporal: {
      workflowService: {
        listWorkflowExecutions: async ({ query, nextPageToken }: { query: string; nextPageToken: Uint8Array | null }) => {
          queries.push(query);
          const until = /CloseTime <= '([^']*)'/.exec(query)?.[1];
          const open = query.includes("ExecutionStatus != 'Running'") ? [] : executions.filter(({ status }) => status === RUNNING);
          const closed = executions.filter(
            ({ closedS = 0, status }) => status !== RUNNING && (!until || closedS * 1000 <= Date.parse(until)),
          );
          const named = /WorkflowId IN \(([^)]*)\)/.exec(query)?.[1];
          const all = named === undefined ? [...open, ...closed] : executions.filter(({ id }) => named.includes(`'${id}'`));
          const from = nextPageToken === null ? 0 : Number(Buffer.from(nextPageToken).toString());
          const more = from + PAGE < all.length ? Buffer.from(String(from + PAGE)) : new Uint8Array();
          return { executions: all.slice(from, from + PAGE).map(rawOf), nextPageToken: more };
        },
      },
    },
  } as unknown as ThermidorClient;
  return { client, queries };
}

type List = (client: ThermidorClient, filter: RunFilter & { limit: number }, cursor?: string) => Promise<RunPage>;
async function everyPage(list: List, client: ThermidorClient, filter: RunFilter & { limit: number }): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await list(client, filter, cursor);
    pages.push(page.runs.map(({ run }) => run));
    cursor = page.next;
    if (cursor === undefined) return pages;
  }
}
const record = (run: string, endedAt: string): RunSummary => ({
  ...{ run, runId: 'x', pipeline: 'p', state: 'completed', startedAt: endedAt, endedAt, gates: [] },
});

test('pages follow each other, whatever the size of the server’s pages, and none is read twice', async () => {
  const ids = Array.from({ length: 250 }, (_, at) => `r-${String(at).padStart(3, '0')}`);
  const { client, queries } = clientOf(ids.map((id) => ({ id, memo: id.endsWith('7') ? { parent: 'r' } : {} })));
  const pages = await everyPage(listPage, client, { limit: 60 });
  expect(pages.map(({ length }) => length)).toEqual([60, 60, 60, 45]);
  expect(pages.flat().sort()).toEqual(ids.filter((id) => !id.endsWith('7')));
  expect(queries.length).toBeLessThan(10);
});

test('the state is asked of its attribute only where the server has it, and one may not be allowed to look', async () => {
  const known = { ThermidorPipeline: 1, ThermidorOwner: 1, ThermidorState: 1, ThermidorWaitingFor: 1 };
  for (const [attributes, isAsked] of [
    [known, true],
    [{}, false],
  ] as const) {
    const { client, queries } = clientOf(
      [
        { id: 'a', memo: { state: 'rejected' } },
        { id: 'b', memo: { state: 'torn' } },
      ],
      [],
      attributes,
    );
    expect(await everyPage(listPage, client, { limit: 5, state: 'rejected' })).toEqual([['a']]);
    expect(queries.every((query) => query.includes('ThermidorState'))).toBe(isAsked);
  }
});

test.each(['', 'x', 'e30', Buffer.from('{"token":1,"skip":0}').toString('base64url')])(
  'a cursor that no list has printed is refused: %j',
  async (cursor) => {
    const { client } = clientOf([{ id: 'a', closedS: 5 }]);
    for (const list of [listPage, listEnded])
      await expect(list(client, { limit: 5 }, cursor)).rejects.toMatchObject({ code: 'list.cursor' });
  },
);

test('ended runs are those that the server knows and those that only the store has, the last first, on pages', async () => {
  const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();
  const executions: Execution[] = [
    { id: 'open', status: RUNNING },
    { id: 'd', closedS: 400 },
    { id: 'b', closedS: 200 },
    { id: 'a', closedS: 100 },
  ];
  // A run writes its record a moment before the server says that it has ended.
  const recorded = [
    ...[record('c', iso(300)), record('b', iso(199)), record('open', iso(250)), record('c2', iso(300)), record('d', iso(399.9))],
    record('old', iso(50)),
  ];
  for (const limit of [1, 2, 3, 10]) {
    const { client, queries } = clientOf(executions, recorded);
    expect((await everyPage(listEnded, client, { limit })).flat()).toEqual(['d', 'c', 'c2', 'b', 'a', 'old']);
    expect(queries.length).toBeLessThan(20);
  }
});
