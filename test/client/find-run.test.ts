import { WorkflowNotFoundError } from '@temporalio/client';
import type { ThermidorClient } from '../../client/connect';
import { findRun, findRunToOrder } from '../../client/find-run';
import { isMomentPart } from '../../client/run-id';
import { ThermidorFailure } from '../../plan/run/failure';

interface Listed {
  id: string;
  pipeline: string;
  startedAt: string;
  parent?: string;
  open?: true;
}

/** In the order in which a server lists them: open ones first, then by their end. */
const RUNS: Listed[] = [
  { id: 'nightly-2026-11-21T07:30:00Z', pipeline: 'nightly', startedAt: '2026-11-21T07:30:01Z' },
  { id: 'nightly-2026-11-22T07:30:00Z', pipeline: 'nightly', startedAt: '2026-11-22T07:30:01Z' },
  { id: 'nightly-2026-11-22T19:45:00Z', pipeline: 'nightly', startedAt: '2026-11-22T19:45:01Z' },
  { id: 'nightly_report-20261122-7f3k2a', pipeline: 'nightly_report', startedAt: '2026-11-22T20:00:00Z' },
  { id: 'by-hand', pipeline: 'kid', startedAt: '2026-11-22T10:00:00Z' },
  { id: 'hotfix-20261122-aaaaaa', pipeline: 'hotfix', startedAt: '2026-11-22T10:00:00Z', open: true },
  { id: 'hotfix-20261122-bbbbbb', pipeline: 'hotfix', startedAt: '2026-11-22T12:00:00Z' },
  { id: 'release-20261122-cccccc', pipeline: 'release', startedAt: '2026-11-22T10:00:00Z', open: true },
  { id: 'release-20261122-dddddd', pipeline: 'release', startedAt: '2026-11-22T12:00:00Z', open: true },
  { id: 'release-20261122-eeeeee.deploy', pipeline: 'kid', startedAt: '2026-11-22T12:00:00Z', parent: 'by-hand', open: true },
  { id: 'by-hand.deploy', pipeline: 'kid', startedAt: '2026-11-22T11:00:00Z', parent: 'by-hand' },
];

const info = ({ id, pipeline, startedAt, parent, open }: Listed) => ({
  workflowId: id,
  runId: id,
  type: pipeline,
  startTime: new Date(startedAt),
  status: { name: open ? 'RUNNING' : 'COMPLETED' },
  ...(parent === undefined ? {} : { memo: { parent } }),
});

function fits(query: string, { id, pipeline, open }: Listed): boolean {
  if (query.includes("ExecutionStatus = 'Running'") && !open) return false;
  const type = /WorkflowType = '([^']*)'/.exec(query)?.[1];
  const prefix = /STARTS_WITH '([^']*)'/.exec(query)?.[1];
  return (type === undefined || type === pipeline) && (prefix === undefined || id.startsWith(prefix));
}

const client = {
  taskQueue: 'thermidor',
  call: (request: () => unknown) => request(),
  temporal: {
    workflow: {
      getHandle: (id: string) => ({
        describe: async () => {
          const found = RUNS.find((run) => run.id === id);
          if (!found) throw new WorkflowNotFoundError('no', id, undefined);
          return info(found);
        },
      }),
      list: async function* ({ query }: { query: string }) {
        for (const run of RUNS) if (fits(query, run)) yield info(run);
      },
    },
  },
} as unknown as ThermidorClient;

test.each([
  ['a whole id', 'by-hand', 'by-hand'],
  ['its last six characters', '7f3k2a', 'nightly_report-20261122-7f3k2a'],
  ['an unambiguous beginning', 'nightly_r', 'nightly_report-20261122-7f3k2a'],
  ['the time of a schedule', '19:45', 'nightly-2026-11-22T19:45:00Z'],
  ['its day', '2026-11-21', 'nightly-2026-11-21T07:30:00Z'],
  ['a part of both', '11-22T07', 'nightly-2026-11-22T07:30:00Z'],
  ['a pipeline’s name, which means its newest run', 'nightly', 'nightly-2026-11-22T19:45:00Z'],
  ['a pipeline’s name, whose children are not meant', 'kid', 'by-hand'],
])('a run is found by %s', async (_, text, run) => {
  await expect(findRun(client, text)).resolves.toMatchObject({ run });
});

describe('while the store is away', () => {
  const away = new ThermidorFailure('store.unavailable', 'the store does not answer');
  const read = async () => Promise.reject(away);
  const without = { ...client, ended: { read, find: read } } as unknown as ThermidorClient;

  it.each([
    ['nightly', 'nightly-2026-11-22T19:45:00Z'],
    ['7f3k2a', 'nightly_report-20261122-7f3k2a'],
    ['nightly_r', 'nightly_report-20261122-7f3k2a'],
  ])('%s is found among the runs that the server knows', async (text, run) => {
    await expect(findRun(without, text)).resolves.toMatchObject({ run });
  });

  it('is the reason if the server knows none, and if an order would go by a part of an id', async () => {
    await expect(findRun(without, 'zzzzzz')).rejects.toBe(away);
    await expect(findRunToOrder(without, '7f3k2a', { ends: true })).rejects.toBe(away);
  });
});

test('without a text the newest is meant, whatever has become of it', async () => {
  await expect(findRun(client, undefined)).resolves.toMatchObject({ run: 'nightly_report-20261122-7f3k2a' });
});

test.each(['07:30', '2026-11-22', 'nightly-2026-11-22'])('%s fits several: they are listed, newest first', async (text) => {
  const failure = await findRun(client, text).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'run.ambiguous' });
  const { candidates } = (failure as { more: { details: { candidates: string[] } } }).more.details;
  expect(candidates.length).toBeGreaterThan(1);
  expect([...candidates].sort().reverse()).toEqual(candidates);
});

describe('an order by a pipeline’s name', () => {
  const orderFor = (text: string, ends: boolean) => findRunToOrder(client, text, { ends });

  it.each([true, false])('is refused if the newest run has ended and an older one goes on (the order ends it: %s)', async (ends) => {
    await expect(orderFor('hotfix', ends)).rejects.toMatchObject({
      code: 'run.ambiguous',
      more: { details: { candidates: ['hotfix-20261122-aaaaaa'] } },
    });
  });

  it('is refused if it would end one of several that go on, newest first', async () => {
    await expect(orderFor('release', true)).rejects.toMatchObject({
      code: 'run.ambiguous',
      more: { details: { candidates: ['release-20261122-dddddd', 'release-20261122-cccccc'] } },
    });
  });

  it('means the newest that goes on if it ends none', async () => {
    await expect(orderFor('release', false)).resolves.toMatchObject({ run: 'release-20261122-dddddd' });
  });

  it.each(['hotfix-20261122-aaaaaa', 'aaaaaa', 'hotfix-20261122-a'])('is not at issue if the run itself is named: %s', async (text) => {
    await expect(orderFor(text, true)).resolves.toMatchObject({ run: 'hotfix-20261122-aaaaaa' });
  });

  it('may mean a run that has ended if the order allows it, and never a child', async () => {
    await expect(orderFor('kid', true)).resolves.toMatchObject({ run: 'by-hand', state: 'completed' });
  });
});

test.each(['08:00', 'nobody', '-', '22'])('nothing is found by %s', async (text) => {
  await expect(findRun(client, text)).rejects.toMatchObject({ code: 'run.not-found' });
});

test('a part of a moment has digits on both sides of a mark, or next to the T', () => {
  expect(['07:30', '2026-11-22', '11-22T07', 'T07', '07:30:00Z'].every(isMomentPart)).toBe(true);
  expect(['-', '22', '7f3k2a', 'T', 'nightly'].some(isMomentPart)).toBe(false);
});
