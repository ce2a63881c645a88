import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { ServiceError, type WorkflowHandle, WorkflowUpdateFailedError } from '@temporalio/client';
import type { RunResult } from '../../plan/run/run-result';
import { sweep } from '../support/sweep';
import { BoundaryWorkers } from './support/boundary-workers';
import { giveBack } from './support/give-back';
import { MAIN_JOB_REQUESTS, timesRequested } from './support/runs';
import { Scratch, SET_UP_MS } from './support/scratch';
import { writeScript } from './support/scripts';
import { until } from './support/until';

/**
 * kill -9 of the worker at every boundary of every activity of the main job: when the server has handed it out, and when all is
 * done but nobody knows. One run for each; a worker has a few, and dies when each of them is at its own boundary. Another
 * worker takes over. Each must end like the run that nobody disturbed.
 */
const PIPELINE = 'daily_quant_pipeline';
const TEST_MS = 900_000;
const RUNS_OF_A_WORKER = 8;
/** How many of about forty boundaries are tried. */
const BOUNDARIES = 3;

let scratch: Scratch;
let hook: Server;
let workers: BoundaryWorkers;
const posts: string[] = [];

beforeAll(async () => {
  scratch = await Scratch.onSharedServer();
  scratch.addPipelines();
  writeScript(scratch, 'quick', { people: [] });
  hook = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      posts.push(body);
      response.end('{}');
    });
  });
  hook.listen(0, '127.0.0.1');
  await once(hook, 'listening');
  const bound = hook.address();
  const webhook = `http://127.0.0.1:${typeof bound === 'object' && bound ? bound.port : 0}/approvals`;
  workers = await BoundaryWorkers.in(scratch, { channels: { '#approvals': { webhook } } });
}, SET_UP_MS);

afterAll(async () => {
  await workers.close();
  hook.close();
});

interface Outcome {
  boundary: string;
  died: string | null;
  status: string;
  outputs: Record<string, string>;
  requests: Record<string, number>;
  notified: number;
}

/** The chairman says yes once the channel has told him, and repeats it until the run has heard it: a worker may die meanwhile. */
async function approve(run: WorkflowHandle): Promise<void> {
  await until(`${run.workflowId} is announced`, () => announcements(run) > 0, TEST_MS);
  await until(`${run.workflowId} is approved`, () => hasHeard(run), TEST_MS);
}

async function hasHeard(run: WorkflowHandle): Promise<boolean> {
  try {
    await run.executeUpdate('approve', { args: [{ step: 'approve', by: 'chairman' }] });
    return true;
  } catch (error) {
    // Refused, because the gate has heard it already; or the run has ended meanwhile.
    if (!(error instanceof WorkflowUpdateFailedError) && !(error instanceof ServiceError)) throw error;
    const { status } = await run.describe();
    return status.name !== 'RUNNING' || error instanceof WorkflowUpdateFailedError;
  }
}

function announcements({ workflowId }: WorkflowHandle): number {
  return posts.filter((body) => body.includes(workflowId)).length;
}

async function outcomeOf(run: WorkflowHandle, boundary: string, died: string | null): Promise<Outcome> {
  const result = (await run.result()) as RunResult;
  return {
    boundary,
    died,
    status: result.status,
    outputs: Object.fromEntries(Object.entries(result.artifacts).map(([step, { sha256 }]) => [step, sha256])),
    requests: timesRequested(scratch, run.workflowId),
    notified: announcements(run),
  };
}

function start(workflowId: string, taskQueue: string): Promise<WorkflowHandle> {
  return workers.client.temporal.workflow.start(PIPELINE, { workflowId, taskQueue, args: [{ script: 'quick' }] });
}

async function untouched(): Promise<{ outcome: Outcome; boundaries: string[] }> {
  const log = scratch.path('boundaries');
  await workers.start({ queue: 'untouched', log });
  const run = await start('untouched', 'untouched');
  await approve(run);
  const outcome = await outcomeOf(run, 'none', null);
  const boundaries = [...new Set(readFileSync(log, 'utf8').split('\n').filter(Boolean))];
  return { outcome, boundaries: sweep(boundaries, BOUNDARIES) };
}

test(
  'a worker that dies at any boundary of any activity changes nothing',
  async () => {
    const { outcome: expected, boundaries } = await untouched();
    expect(expected).toMatchObject({ status: 'completed', requests: MAIN_JOB_REQUESTS, notified: 1 });
    const { child: heir } = await workers.start({});

    async function killedAt(some: readonly string[], nth: number): Promise<Outcome[]> {
      const queue = `killed-${nth}`;
      const ids = some.map((_, i) => `killed-${nth * RUNS_OF_A_WORKER + i}-of-all`);
      const { child, died } = await workers.start({ queue, boundaries: Object.fromEntries(ids.map((id, i) => [id, some[i] ?? ''])) });
      const runs = await Promise.all(ids.map((id) => start(id, queue)));
      const approving = Promise.all(runs.map(approve));
      // A failure shows below.
      approving.catch(() => undefined);
      const how = await died;
      await giveBack(workers.client, runs, queue, `${child.pid}@${queue}`);
      await workers.take(heir, queue);
      await approving;
      return Promise.all(runs.map((run, i) => outcomeOf(run, some[i] ?? '', how)));
    }

    const lots = Array.from({ length: Math.ceil(boundaries.length / RUNS_OF_A_WORKER) }, (_, i) =>
      boundaries.slice(i * RUNS_OF_A_WORKER, (i + 1) * RUNS_OF_A_WORKER),
    );
    const ended = (await Promise.all(lots.map(killedAt))).flat();
    process.stdout.write(tableOf([expected, ...ended]));
    expect(ended.map(({ boundary, ...rest }) => [boundary, rest])).toEqual(
      ended.map(({ boundary }) => [boundary, { ...withoutBoundary(expected), died: 'SIGKILL' }]),
    );
  },
  TEST_MS,
);

function withoutBoundary({ boundary: _boundary, ...rest }: Outcome): Omit<Outcome, 'boundary'> {
  return rest;
}

function tableOf(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ boundary, died, status, requests, notified }) => {
    const asked = Object.values(requests).reduce((sum, times) => sum + times, 0);
    return `${boundary.padEnd(40)} ${(died ?? '–').padEnd(8)} ${status.padEnd(10)} ${String(asked).padStart(8)} ${String(notified).padStart(8)}`;
  });
  return `${'killed'.padEnd(40)} ${'by'.padEnd(8)} ${'ended'.padEnd(10)} ${'requests'.padStart(8)} ${'notified'.padStart(8)}\n${rows.join('\n')}\n`;
}
