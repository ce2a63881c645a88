import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Connection, defaultGrpcRetryOptions, OperatorService, WorkflowService } from '@temporalio/client';
import { IllegalStateError } from '@temporalio/common';
import { TransportError } from '@temporalio/worker';
import { queuesOn } from '../../activities/queue/temporal-queues';
import type { Toolbox } from '../../activities/toolbox';
import { failLostActivities } from '../../cli/embedded/fail-lost-activities';
import { shownFailure } from '../../cli/exit';
import { actOnRun, cancelRun } from '../../client/act-on-run';
import { applySchedule, previewSchedule, schedulesToPrune, triggerStates } from '../../client/apply-schedules';
import { awaitIdle } from '../../client/await-idle';
import { backfill, previewBackfill } from '../../client/backfill';
import { runPorts } from '../../client/callbacks/run-ports';
import { ClientProblem } from '../../client/client-problem';
import { clientOver, type ThermidorClient } from '../../client/connect';
import { describeRun, findRun } from '../../client/find-run';
import { type FleetVersion, type FleetVersions, readVersions } from '../../client/fleet-versions';
import { followRun } from '../../client/follow-run';
import { isTaskFailure } from '../../client/grpc-retries';
import { GRPC_STATUSES, type GrpcStatusName } from '../../client/grpc-status';
import { loadHooks } from '../../client/hooks/load-hooks';
import { listEnded } from '../../client/list-ended';
import { listPage } from '../../client/list-page';
import { listRuns } from '../../client/list-runs';
import { moveRuns, pinUnreadable } from '../../client/move-runs';
import { readNamespace } from '../../client/namespace-numbers';
import { readPendingActivities } from '../../client/pending-activities';
import { routeTo } from '../../client/promote-version';
import { listQueues, orderQueue, readQueue, updating } from '../../client/queues';
import { readOutcome } from '../../client/read-outcome';
import { readCarry, readGates, readJournalView, readPlan, readStatus } from '../../client/read-run';
import { runsOnServer } from '../../client/runs-on-server';
import { scheduleMoments } from '../../client/schedule-moments';
import {
  deleteSchedule,
  listOwnedSchedules,
  listSchedules,
  pauseSchedule,
  showSchedule,
  triggerSchedule,
  unpauseSchedule,
} from '../../client/schedules';
import { asProblem, isTransient } from '../../client/server-error';
import { serverVersion } from '../../client/server-version';
import { startRun } from '../../client/start-run';
import { newerWorkerNeeded } from '../../client/task-failure';
import { backlogOf, pollersOf } from '../../client/task-queue';
import { versionSkew } from '../../client/version-skew';
import { listWorkers } from '../../client/workers';
import { tellOfClosedRuns } from '../../worker/closed-runs';
import { startEndSweep, sweepEnds } from '../../worker/end-sweep';
import { joinDeployment } from '../../worker/join-deployment';
import { LiveBuilds } from '../../worker/live-builds';
import { probeSearchAttributes } from '../../worker/search-attributes';
import { runLifeOnServer } from '../../worker/worktrees/run-life';

/**
 * Every request that clients and workers make × every way in which the server or the network can fail it: retried or named, never a bug.
 */
const AT = { address: '127.0.0.1:7233', namespace: 'default' };

type Failure = Error & { code?: unknown };

function status(code: number, details = 'the server says so'): Failure {
  return Object.assign(new Error(`${code} ${details}`), { code, details, metadata: { get: () => [] } });
}

function system(code: string): Failure {
  return Object.assign(new Error(`connect ${code} 127.0.0.1:7233`), { code });
}

const STATUSES = GRPC_STATUSES.map(({ code, name }): [string, Failure] => [name, status(code)]);
const NETWORK: [string, Failure][] = [
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].map(
    (code): [string, Failure] => [code, system(code)],
  ),
  ...[
    'CERT_HAS_EXPIRED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'ERR_HTTP2_GOAWAY_SESSION',
    'ERR_SSL_WRONG_VERSION_NUMBER',
  ].map((code): [string, Failure] => [code, system(code)]),
  ['several addresses', new AggregateError([system('ECONNREFUSED'), system('ECONNREFUSED')], '')],
  ['GOAWAY', status(14, 'Connection dropped')],
  ['RST_STREAM', status(13, 'Received RST_STREAM with code 2')],
  ['TransportError', new TransportError('tonic::transport::Error(Transport, ConnectError(Connection refused))')],
  ['closed client', new IllegalStateError('Client has been closed')],
  ['closed channel', new Error('Channel has been shut down')],
];

/** A client whose server answers each request by the failure; `unless` names those that it answers otherwise. */
function failing(failure: Failure, asked: Set<string>, unless: Readonly<Record<string, Failure | undefined>> = {}): ThermidorClient {
  const rpc = (service: { create: typeof WorkflowService.create } | { create: typeof OperatorService.create }) =>
    service.create((method: { name: string }, _request: unknown, callback: (error: Error | null, answer?: null) => void) => {
      asked.add(method.name);
      const answer = unless[method.name] ?? failure;
      void Promise.resolve().then(() => callback(answer));
    });
  const run = async <T>(_: unknown, request: () => Promise<T>): Promise<T> => await request();
  const connection = {
    workflowService: rpc(WorkflowService),
    operatorService: rpc(OperatorService),
    ensureConnected: async () => undefined,
    close: async () => undefined,
    withDeadline: run,
    withAbortSignal: run,
    withMetadata: run,
  };
  return clientOver(connection as unknown as Connection, AT);
}

type Request = (client: ThermidorClient) => Promise<unknown>;

/** None of these is requested, because the server lists nothing. */
const NO_WORKER = { namespace: 'n', taskQueue: 'q', toolbox: {} as Toolbox, log: () => undefined };
const US = { installation: 'i', taskQueue: 'thermidor' };
const WANTED: Parameters<typeof applySchedule>[2] = {
  pipeline: 'p',
  trigger: { kind: 'cron', expressions: ['0 8 * * *'], timezone: 'UTC', overlap: 'skip', catchupMs: 1000 },
};

const SINCE = { fromMs: 0, toMs: 1, most: 10 };
const JOINING = { namespace: 'n', taskQueue: 'q', buildId: 'b', identity: 'me' };
const OLDER: FleetVersion = { build: 'a', state: 'current', since: '', workers: [], queues: [], openRuns: 1 };
const NEWER: FleetVersion = { ...OLDER, build: 'b', state: 'draining', reads: { run: 2, language: 1, queue: 1 } };
const FLEET: FleetVersions = { deployment: 'q', current: 'a', versions: [NEWER, OLDER], conflictToken: new Uint8Array() };

/** By the function that makes it. Each fails with a `ClientProblem` or answers. */
const REQUESTS: Readonly<Record<string, Request>> = {
  describeRun: (client) => describeRun(client, 'r'),
  findRun: (client) => findRun(client, 'r'),
  listRuns: (client) => listRuns(client),
  listPage: (client) => listPage(client, { limit: 5, state: 'failed' }),
  listEnded: (client) => listEnded(client, { limit: 5 }),
  startRun: (client) => startRun(client, { workflowId: 'r', pipeline: 'p' }),
  readStatus: (client) => readStatus(client, 'r'),
  readPlan: (client) => readPlan(client, 'r'),
  readGates: (client) => readGates(client, 'r'),
  readCarry: (client) => readCarry(client, 'r', { from: 'a' } as unknown as Parameters<typeof readCarry>[2]),
  readJournalView: (client) => readJournalView(client, 'r', 0),
  readKnown: (client) => readPendingActivities(client, 'r'),
  actOnRun: (client) => actOnRun(client, 'r', 'approve', { step: 'a' }),
  cancelRun: (client) => cancelRun(client, 'r'),
  note: (client) => runPorts(client).note('r', 'approve', { step: 'a' }),
  gateNow: (client) => runPorts(client).gateNow({ run: 'r', step: 'a', shownSha256: 's' } as never, 1000),
  readOutcome: (client) => readOutcome(client, 'r'),
  applySchedule: (client) => applySchedule(client, US, WANTED),
  previewSchedule: (client) => previewSchedule(client, US, WANTED),
  triggerStates: (client) => triggerStates(client, US, [WANTED]),
  listSchedules: (client) => listSchedules(client),
  loadHooks: (client) => loadHooks(client, US),
  listOwnedSchedules: (client) => listOwnedSchedules(client, US),
  schedulesToPrune: (client) => schedulesToPrune(client, US, new Set()),
  triggerSchedule: (client) => triggerSchedule(client, US, 's'),
  pauseSchedule: (client) => pauseSchedule(client, US, 's', ''),
  unpauseSchedule: (client) => unpauseSchedule(client, US, 's', ''),
  deleteSchedule: (client) => deleteSchedule(client, US, 's'),
  showSchedule: (client) => showSchedule(client, US, 's'),
  previewBackfill: (client) => previewBackfill(client, US, 's', SINCE),
  backfill: (client) => backfill(client, US, 's', SINCE),
  scheduleMoments: (client) => scheduleMoments(client, { scheduleId: 's', spec: {}, raw: {} } as never, SINCE, SINCE.most),
  newerWorkerNeeded: (client) => newerWorkerNeeded(client, 'r'),
  pollersOf: (client) => pollersOf(client, 'workflow'),
  backlogOf: (client) => backlogOf(client, 'activity', 'q'),
  readNamespace: (client) => readNamespace(client, ['q']),
  serverVersion: (client) => serverVersion(client),
  describeNamespace: (client) => client.call(() => client.temporal.workflowService.describeNamespace({ namespace: 'n' })),
  listSearchAttributes: (client) => client.call(() => client.connection.operatorService.listSearchAttributes({ namespace: 'n' })),
  probeSearchAttributes: (client) => probeSearchAttributes(client.connection as never, 'n'),
  isOpenForPrune: (client) => runsOnServer(client).isOpen({ workflowId: 'r', run: 'x' }),
  clockForPrune: (client) => runsOnServer(client).clockMs(),
  lifeOfRun: ({ connection, call }) => call(() => runLifeOnServer(connection, 'n')({ workflowId: 'r', run: 'x' })),
  tellOfClosedRuns: ({ connection, call }) =>
    call(() => tellOfClosedRuns({ server: connection, ...NO_WORKER }, new Set(), new AbortController().signal)),
  sweepEnds: ({ connection, call }) =>
    call(() => sweepEnds({ server: connection, ...NO_WORKER }, startEndSweep(), new AbortController().signal)),
  listWorkers: (client) => listWorkers(client),
  readVersions: (client) => readVersions(client),
  versionSkew: (client) => versionSkew(client),
  pinUnreadable: (client) => pinUnreadable(client, FLEET, OLDER, async () => undefined),
  moveRuns: (client) => moveRuns(client, FLEET, NEWER, OLDER, async () => undefined),
  promoteVersion: (client) => routeTo(client, FLEET, 'b'),
  rampVersion: (client) => routeTo(client, FLEET, 'b', 10),
  joinDeployment: ({ connection, call }) =>
    call(() => joinDeployment({ ...JOINING, connection: connection as never, versions: 'auto', log: () => undefined })),
  takesRuns: ({ connection, call }) => call(() => new LiveBuilds({ ...JOINING, connection: connection as never }).takesRuns('b')),
  listQueues: (client) => listQueues(client),
  readQueue: (client) => readQueue(client, 'queue:r#main'),
  orderQueue: (client) => orderQueue(client, 'queue:r#main', 'pause', {}),
  submit: (client) =>
    queuesOn(client.temporal.workflow, 'q', updating(client, 'queue:r#main')).ask('queue:r#main', { workflowId: 'w', run: 'r', name: 'n' }),
  takeOver: ({ connection, call }) => call(() => failLostActivities({ connection, namespace: 'n', lostWorkers: ['w'], identity: 'me' })),
};

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** The outcome; pauses take no time. */
async function settled(request: Promise<unknown>): Promise<{ error?: unknown }> {
  let end: { error?: unknown } | undefined;
  void request.then(
    () => {
      end = {};
    },
    (error: unknown) => {
      end = { error };
    },
  );
  for (let second = 0; second < 120 && end === undefined; second++) await jest.advanceTimersByTimeAsync(1000);
  return end ?? { error: new Error('it goes on for ever') };
}

describe.each(Object.entries(REQUESTS))('%s', (_name, request) => {
  test.each([...STATUSES, ...NETWORK])('that fails with %s answers, or fails with a code', async (_what, failure) => {
    const { error } = await settled(request(failing(failure, new Set())));
    if (error === undefined) return;
    expect(error).toBeInstanceOf(ClientProblem);
    expect(shownFailure(error)?.code).toBe((error as ClientProblem).code);
  });
});

test.each([...STATUSES, ...NETWORK])('a schedule that is there and cannot be looked at: %s has a code', async (_what, failure) => {
  const client = failing(failure, new Set(), { CreateSchedule: status(6) });
  expect((await settled(applySchedule(client, US, WANTED))).error).toBeInstanceOf(ClientProblem);
});

test.each([...STATUSES, ...NETWORK])('following a run reports %s, and continues', async (_what, failure) => {
  const stop = new AbortController();
  const events = followRun(failing(failure, new Set()), 'r', { signal: stop.signal });
  for (let time = 0; time < 3; time++) {
    const next = events.next();
    await jest.advanceTimersByTimeAsync(10_000);
    expect((await next).value).toMatchObject({ kind: 'trouble', problem: { name: 'ClientProblem' } });
  }
  stop.abort();
});

test.each([...STATUSES, ...NETWORK])(
  'who waits for a run to rest ends with a code at %s, and at once only if waiting is of no use',
  async (_what, failure) => {
    const rest = awaitIdle(failing(failure, new Set()), 'r', { signal: AbortSignal.timeout(3_600_000) }).catch((error: unknown) => error);
    let over = false;
    void rest.then(() => {
      over = true;
    });
    await jest.advanceTimersByTimeAsync(10_000);
    const problem = asProblem(failure, AT);
    if (problem === undefined || !isTransient(problem)) {
      expect(over).toBe(true);
      expect(await rest).toBeInstanceOf(ClientProblem);
    } else expect(over).toBe(false);
  },
);

describe('the table of statuses', () => {
  test('has all seventeen, and repeats those that the SDK does', () => {
    expect(GRPC_STATUSES.map(({ code }) => code)).toEqual([...Array(17).keys()]);
    const standard = defaultGrpcRetryOptions();
    const repeated = GRPC_STATUSES.filter(
      ({ code }) => standard.retryableDecider(1, status(code) as never) || isTaskFailure({ code, details: '' }),
    );
    expect(GRPC_STATUSES.filter(({ retried }) => retried)).toEqual(repeated);
  });

  test.each(GRPC_STATUSES.map(({ name, code, passes: again }) => [name, code, again] as const))(
    '%s is waited out, or not',
    (_name: GrpcStatusName, code, again) => {
      expect(isTransient(asProblem(status(code), AT))).toBe(again);
    },
  );
});

/** Where requests are made. A new one needs a row above. */
const MAKES = /temporal\.(workflow|schedule)\b[^;]*?\.(\w+)\(|\b(?:workflowService|operatorService)\.(\w+)\(|\bservice\.(respond\w+)\(/g;

test('every request in the sources has a row', () => {
  const root = join(__dirname, '..', '..');
  const made = new Map<string, number>();
  for (const room of ['client', 'cli', 'worker']) {
    for (const path of readdirSync(join(root, room), { recursive: true }) as string[]) {
      if (!path.endsWith('.ts')) continue;
      const text = readFileSync(join(root, room, path), 'utf8')
        .replace(/^import .*$/gm, '')
        .replace(/^\s*(\/\*\*|\*|\/\/).*$/gm, '');
      const count = [...text.matchAll(MAKES)].length;
      if (count > 0) made.set(join(room, path), count);
    }
  }
  expect(Object.fromEntries(made)).toEqual({
    'cli/checks/search-attributes.ts': 1,
    'cli/checks/server.ts': 1,
    'cli/embedded/fail-lost-activities.ts': 4,
    'client/act-on-run.ts': 2,
    'client/apply-schedules.ts': 2,
    'client/await-idle.ts': 1,
    'client/backfill.ts': 3,
    'client/callbacks/run-ports.ts': 2,
    'client/executions.ts': 1,
    'client/find-run.ts': 1,
    'client/fleet-versions.ts': 3,
    'client/list-page.ts': 2,
    'client/move-runs.ts': 3,
    'client/promote-version.ts': 3,
    'client/read-outcome.ts': 1,
    'client/read-run.ts': 1,
    'client/hooks/load-hooks.ts': 1,
    'client/schedule-owner.ts': 1,
    'client/schedules.ts': 5,
    'client/server-version.ts': 1,
    'client/start-run.ts': 1,
    'client/task-failure.ts': 1,
    'client/task-queue.ts': 2,
    'client/namespace-numbers.ts': 1,
    'client/workers.ts': 1,
    'client/pending-activities.ts': 1,
    'client/queues.ts': 1,
    'client/runs-on-server.ts': 2,
    'client/schedule-moments.ts': 1,
    'worker/closed-executions.ts': 1,
    'worker/end-sweep.ts': 1,
    'worker/join-deployment.ts': 1,
    'worker/live-builds.ts': 2,
    'worker/search-attributes.ts': 1,
    // Any failure is its answer: test/worker/server-contact.test.ts.
    'worker/server-contact.ts': 1,
    'worker/worktrees/run-life.ts': 1,
  });
});
