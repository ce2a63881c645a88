import type { ThermidorClient } from '../../client/connect';
import { type FleetVersion, type FleetVersions, versionNamed } from '../../client/fleet-versions';
import { moveRuns, pinUnreadable } from '../../client/move-runs';
import { servedVersion, unservedBy } from '../../client/promote-version';
import { QUEUE_WORKFLOW } from '../../plan/queue/ticket';

function version(digest: string, more: Partial<FleetVersion> = {}): FleetVersion {
  const build = `thermidor+${digest}`;
  return { build, state: 'draining', since: '', workers: ['w'], queues: ['mine'], openRuns: 0, ...more };
}

const NEW_READS = { run: 2, language: 2, queue: 2 };
const OLD_READS = { run: 1, language: 2, queue: 1 };
const OLD = version('aa11', { reads: OLD_READS, state: 'current', queues: ['mine', 'mine:gpu'] });
const NEW = version('ab22', { reads: NEW_READS });
const GONE = version('cc33', { workers: [], queues: [] });

function fleet(...versions: FleetVersion[]): FleetVersions {
  return { deployment: 'mine', current: OLD.build, versions, conflictToken: new Uint8Array() };
}

interface Listed {
  run: string;
  pipeline?: string;
  pinning?: boolean;
}

/** A client whose server has open runs on each build, and takes note of what is overridden. */
function clientOf(held: Readonly<Record<string, readonly Listed[]>>) {
  const overridden: [string, unknown][] = [];
  const runs = Object.values(held).flat();
  const workflowService = {
    listWorkflowExecutions: async ({ query }: { query: string }) => {
      const own = Object.entries(held).flatMap(([digest, listed]) => (query.includes(`+${digest}'`) ? listed : []));
      return {
        executions: own.map(({ run, pipeline = 'p' }) => ({ execution: { workflowId: run, runId: 'r' }, type: { name: pipeline } })),
      };
    },
    describeWorkflowExecution: async ({ execution }: { execution: { workflowId: string } }) => ({
      workflowExecutionInfo: { versioningInfo: { behavior: runs.find(({ run }) => run === execution.workflowId)?.pinning ? 1 : 2 } },
    }),
    updateWorkflowExecutionOptions: async (request: {
      workflowExecution: { workflowId: string };
      workflowExecutionOptions: { versioningOverride: unknown };
    }) => {
      overridden.push([request.workflowExecution.workflowId, request.workflowExecutionOptions.versioningOverride]);
    },
  };
  const client = {
    namespace: 'n',
    taskQueue: 'mine',
    temporal: { workflowService },
    call: async (ask: () => Promise<unknown>) => await ask(),
  };
  return { client: client as unknown as ThermidorClient, overridden };
}

const at = ({ build }: FleetVersion) => ({ pinned: { behavior: 1, version: { deploymentName: 'mine', buildId: build } } });

test('a version is named by its whole name, its digest, or how that begins, and by nothing else', () => {
  const all = fleet(OLD, NEW, GONE);
  for (const named of ['thermidor+ab22', 'ab22', 'ab']) expect(versionNamed(all, named)).toBe(NEW);
  const hint = 'versions of mine: aa11, ab22, cc33';
  for (const named of ['', 'zz', 'a', 'thermidor', '%', 'x'.repeat(10_000)])
    expect(() => versionNamed(all, named)).toThrow(expect.objectContaining({ code: 'fleet.no-version', more: { hint } }));
});

test('only a version with a living worker that takes runs can be promoted', () => {
  const { client } = clientOf({});
  const labelled = version('dd44', { queues: ['mine:gpu'] });
  const all = fleet(OLD, GONE, labelled);
  expect(servedVersion(client, all, 'aa11')).toBe(OLD);
  for (const named of ['cc33', 'dd44'])
    expect(() => servedVersion(client, all, named)).toThrow(expect.objectContaining({ code: 'fleet.no-worker' }));
});

test('queues that only others serve are named before steps wait on them', () => {
  expect(unservedBy(fleet(OLD, NEW), NEW)).toEqual(['mine:gpu']);
  expect(unservedBy(fleet(OLD, NEW), OLD)).toEqual([]);
});

test('runs and queues that an older version cannot read are pinned to what holds them; nobody is asked if it reads all', async () => {
  const listed = [{ run: 'newer' }, { run: 'older' }, { run: 'unopened' }, { run: 'queue', pipeline: QUEUE_WORKFLOW }];
  const { client, overridden } = clientOf({ ab22: listed });
  const needs = async ({ run }: { run: string }) => ({ newer: { version: 2, irVersion: 2 }, older: { version: 1, irVersion: 2 } })[run];
  expect(await pinUnreadable(client, fleet(OLD, NEW), OLD, needs)).toEqual(['newer', 'queue']);
  expect(overridden).toEqual([
    ['newer', at(NEW)],
    ['queue', at(NEW)],
  ]);
  const asked = clientOf({ aa11: [{ run: 'a' }] });
  expect(await pinUnreadable(asked.client, fleet(OLD, NEW), NEW, () => Promise.reject(new Error('asked')))).toEqual([]);
});

test('moved runs follow the current version, or are pinned if their workers pin; what it cannot read stays', async () => {
  const { client, overridden } = clientOf({ ab22: [{ run: 'follows' }, { run: 'pins', pinning: true }, { run: 'newer' }] });
  const needs = async ({ run }: { run: string }) => ({ version: run === 'newer' ? 2 : 1 });
  expect(await moveRuns(client, fleet(OLD, NEW), NEW, OLD, needs)).toEqual({ moved: ['follows', 'pins'], left: ['newer'] });
  expect(overridden).toEqual([
    ['follows', { autoUpgrade: true }],
    ['pins', at(OLD)],
  ]);
  const forward = clientOf({ aa11: [{ run: 'r' }] });
  expect(await moveRuns(forward.client, fleet(OLD, NEW), OLD, NEW, needs)).toEqual({ moved: ['r'], left: [] });
  expect(forward.overridden).toEqual([['r', at(NEW)]]);
});
