import { Metadata, status } from '@grpc/grpc-js';
import { ServiceError } from '@temporalio/client';
import { renderFleet } from '../../cli/rendering/fleet';
import type { ThermidorClient } from '../../client/connect';
import { listWorkers, SILENT_AFTER_MS } from '../../client/workers';
import type { HeardWorker } from '../../records/worker-sign';
import { fakeTerminal } from '../cli/fake-terminal';

const NOW = Date.parse('2026-01-02T03:04:05.000Z');

interface Beat {
  ageMs?: number;
  queue?: string;
  status?: number;
  used?: number;
  identity?: string;
}

const beat = ({ ageMs = 1_000, queue = 'mine', status = 1, used = 1, identity = 'thermidor-1-aa@hosta' }: Beat = {}) => ({
  workerHeartbeat: {
    workerIdentity: identity,
    taskQueue: queue,
    status,
    heartbeatTime: { seconds: Math.floor((NOW - ageMs) / 1000), nanos: 0 },
    hostInfo: { hostName: 'a1b2c3', currentHostCpuUsage: 0.25, currentHostMemUsage: 0.5 },
    activityTaskSlotsInfo: { currentUsedSlots: used, currentAvailableSlots: 3 },
    sdkName: 'temporal-typescript',
    sdkVersion: '1.24.0',
  },
});

/** A server that lists these, a page each. */
function clientOf(pages: (() => object[])[]): ThermidorClient {
  const listWorkers = async ({ nextPageToken }: { nextPageToken?: Uint8Array }) => {
    const page = nextPageToken?.[0] ?? 0;
    const more = page + 1 < pages.length ? Uint8Array.of(page + 1) : new Uint8Array();
    return { workersInfo: pages[page]?.() ?? [], nextPageToken: more };
  };
  const client = { namespace: 'default', taskQueue: 'mine', call: (ask: () => unknown) => ask() };
  return { ...client, temporal: { workflowService: { listWorkers } } } as object as ThermidorClient;
}

const listed = (...pages: object[][]) => listWorkers(clientOf(pages.map((page) => () => page)), [], NOW);

test('the workers of a process are one line, with all their queues and slots; its host is what it calls itself', async () => {
  expect(await listed([beat(), beat({ queue: 'mine:gpu', ageMs: 9_000 })], [beat({ identity: 'thermidor-2-bb@hostb' })])).toEqual([
    {
      identity: 'thermidor-1-aa@hosta',
      host: 'hosta',
      heartbeatAt: '2026-01-02T03:04:04.000Z',
      silent: false,
      stopping: false,
      queues: ['mine', 'mine:gpu'],
      slots: { used: 2, free: 6 },
      cpu: 0.25,
      memory: 0.5,
      sdk: 'temporal-typescript 1.24.0',
    },
    expect.objectContaining({ host: 'hostb', queues: ['mine'] }),
  ]);
});

test('slots are unknown, and not none, of a process whose metrics the SDK does not see; one without any still has pollers', async () => {
  const without = (pollers: number) => ({
    workerHeartbeat: {
      ...beat().workerHeartbeat,
      activityTaskSlotsInfo: { currentUsedSlots: 0, currentAvailableSlots: 0 },
      activityPollerInfo: { currentPollers: pollers },
    },
  });
  const [unknown] = await listed([without(0)]);
  expect(unknown?.slots).toBeUndefined();
  expect((await listed([without(5)]))[0]?.slots).toEqual({ used: 0, free: 0 });
  const view = { taskQueue: 'mine', workers: unknown ? [unknown] : [], unserved: [], skew: [] };
  expect(renderFleet(view, NOW, fakeTerminal())).toMatch(/working +1\.0 s ago +– +25 %/);
});

test('the store knows the slots that the server does not learn, and how old a heartbeat is whatever the clock of its host says', async () => {
  const hostIsAheadMs = 300_000;
  const heard = (ageMs: number): HeardWorker => ({
    ...{ identity: 'thermidor-1-aa@hosta', slots: { used: 3, free: 97 }, ageMs },
    saidAtMs: NOW + hostIsAheadMs - ageMs,
  });
  const mute = { workerHeartbeat: { ...beat({ ageMs: 40_000 - hostIsAheadMs }).workerHeartbeat, activityTaskSlotsInfo: {} } };
  const seen = async (...said: HeardWorker[]) => (await listWorkers(clientOf([() => [mute]]), said, NOW))[0];
  // Its own time is minutes ahead: by that alone it would have given a heartbeat in the future.
  expect(await seen()).toMatchObject({ silent: false, heartbeatAt: '2026-01-02T03:08:25.000Z' });
  expect(await seen(heard(2_000), heard(60_000))).toMatchObject({
    ...{ slots: { used: 3, free: 97 }, silent: true, heartbeatAt: '2026-01-02T03:03:25.000Z' },
  });
  // A sign of life from before the heartbeat, as the one of a worker that has lost the store.
  expect(await seen(heard(60_000))).toMatchObject({ silent: true, heartbeatAt: '2026-01-02T03:03:25.000Z' });
  const late = { workerHeartbeat: { ...mute.workerHeartbeat, heartbeatTime: { seconds: (NOW - 300_000) / 1000, nanos: 0 } } };
  const behind = { ...heard(1_000), saidAtMs: NOW - 300_000 };
  expect((await listWorkers(clientOf([() => [late]]), [behind], NOW))[0]).toMatchObject({ silent: false });
});

test('what a process said that was killed is not added to what the next one of its name says', async () => {
  const [one] = await listed([beat({ ageMs: 40_000, queue: 'mine:gpu', used: 9 }), beat()]);
  expect(one).toMatchObject({ queues: ['mine'], slots: { used: 1, free: 3 } });
});

test('the age of the heartbeat says who is silent; who said goodbye, or falls silent while it stops, is gone', async () => {
  const [stopping, silent, ...others] = await listed([
    beat({ ageMs: SILENT_AFTER_MS }),
    beat({ identity: 'b@b', status: 2 }),
    beat({ identity: 'c@c', status: 3, ageMs: 20_000 }),
    beat({ identity: 'd@d', status: 2, ageMs: SILENT_AFTER_MS, used: 0 }),
    beat({ identity: 'e@e', status: 2, ageMs: SILENT_AFTER_MS, used: 3 }),
  ]);
  expect(silent).toMatchObject({ host: 'hosta', silent: true });
  expect(stopping).toMatchObject({ host: 'b', silent: false, stopping: true });
  expect(others).toEqual([]);
});

test('workers of other task queues are not shown, even if their names begin alike', async () => {
  expect(await listed([beat({ queue: 'mine2' }), beat({ queue: 'other' })])).toEqual([]);
});

test('a server without the list is named as the cause, in one line', async () => {
  const cause = Object.assign(new Error('12'), { code: status.UNIMPLEMENTED, details: 'unknown method', metadata: new Metadata() });
  const refused = listWorkers(
    clientOf([
      () => {
        throw new ServiceError('not there', { cause });
      },
    ]),
  );
  await expect(refused).rejects.toMatchObject({ code: 'server.refused', message: expect.stringContaining('does not list workers') });
});

test('a table of them, and each queue without a worker, with what waits and the line that helps', async () => {
  const workers = await listed([beat(), beat({ queue: 'mine:host:x-1' })]);
  const unserved = [
    { queue: 'mine:gpu', runs: ['r1', 'r2', 'r3', 'r4'], others: [] },
    { queue: 'mine:big', runs: [], others: ['thermidor+aa'] },
    { queue: 'mine:host:gone-1', runs: [], others: [], version: 'thermidor+bb' },
  ];
  const skew = [{ text: 'version bb waits', hint: 'thermidor fleet promote bb', blocks: false }];
  const text = renderFleet(
    { taskQueue: 'mine', workers, unserved, drained: [{ host: 'hostc', by: 'ann', since: '2026-01-02T03:00:00.000Z' }], skew },
    NOW,
    fakeTerminal(),
  );
  expect(text).toMatch(/^hosta +thermidor-1-aa +working +1\.0 s ago +2\/8 +25 % +50 % +temporal-typescript 1\.24\.0 +default, host:x-1$/m);
  expect(text).toContain('! no worker takes steps of queue gpu; waiting: r1, r2, r3 and 1 more\n');
  expect(text).toContain('thermidor worker --queues default,gpu\n');
  expect(text).toMatch(/^hostc is drained by ann since 2026-01-02/m);
  expect(text).toContain('! no worker of the current version takes steps of queue big\n');
  expect(text).toContain('! no worker of version bb of the host gone-1 takes its steps\n');
  expect(text).toContain('! version bb waits\n  hint: thermidor fleet promote bb\n');
});
