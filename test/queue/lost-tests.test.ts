import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PERFORM_QUEUE } from '../../activities/queue/perform-queue';
import { DEFAULT_QUEUE_SETTINGS } from '../../plan/queue/queue-settings';
import { ThermidorFailure } from '../../plan/run/failure';
import { queueId } from '../../records/queues/queue-id';
import { lostTries, recordTry } from '../../records/queues/queue-ledger';
import { attemptCall, brokenBy } from '../../workflows/queue/calls';
import type { QueueContext } from '../../workflows/queue/queue-context';
import { emptyQueue, type QueueState } from '../../workflows/queue/queue-state';
import type { ActivityOptions } from '../../workflows/run-context';
import { scratchFolder, sh } from '../git/scene';
import { until } from '../support/until';
import { killedQueue } from './killed-queue';
import { QueueScene } from './scene';

/** Tests of merged trees that kill their worker. */

/** The worker is not killed at any git call. */
const NEVER = { call: -1, during: false };

async function candidateOf(scene: QueueScene) {
  const asked = await scene.submit('a', { 'a.txt': 'better\n' });
  const { onto, result: commit } = await scene.merge([asked]);
  return { run: 'q1', attempt: 7, target: scene.target, commit, onto, candidates: [{ ticket: 1, asked }] };
}

const lost = (scene: QueueScene, commit: string) => lostTries(scene.ledger, queueId(scene.target), { attempt: 7, commit });

test('a test is begun on three workers that it takes down, and on no fourth', async () => {
  const scene = new QueueScene();
  scene.rules = { ...scene.rules, test: 'kill -9 $PPID; sleep 60' };
  const root = join(scratchFolder(), 'worktrees');
  const folders = { root, stateDir: scene.stateDir, workFolder: scene.folder, rules: scene.rules };
  const input = await candidateOf(scene);
  for (const tries of [1, 2, 3]) {
    await killedQueue(folders, { name: 'testMerged', input, workflowId: queueId(scene.target) }, NEVER).catch(() => undefined);
    expect(await lost(scene, input.commit)).toBe(tries);
  }
  const fourth = PERFORM_QUEUE.testMerged(scene.toolbox(root), scene.call(), input);
  await expect(fourth).rejects.toMatchObject({ code: 'queue.test-lost', message: expect.stringContaining('3 times') });
  // A new submission is another attempt.
  scene.rules = { ...scene.rules, test: 'sh test.sh' };
  expect(await PERFORM_QUEUE.testMerged(scene.toolbox(root), scene.call(), { ...input, attempt: 8 })).toEqual({ kind: 'green' });
});

test('the same on the target, if a red test is run once more', async () => {
  const scene = new QueueScene();
  scene.rules = { ...scene.rules, test: 'false' };
  const input = await candidateOf(scene);
  for (let n = 0; n < 3; n++) await recordTry(scene.ledger, queueId(scene.target), { attempt: 7, commit: input.onto }, 'begun');
  await expect(PERFORM_QUEUE.testMerged(scene.toolbox(), scene.call(), input)).rejects.toMatchObject({ code: 'queue.test-lost' });
});

test('a worker that ends in order, and a test that is red, count as none', async () => {
  const scene = new QueueScene();
  const input = await candidateOf(scene);
  for (let n = 0; n < 4; n++) {
    const begun = join(scratchFolder(), 'begun');
    scene.rules = { ...scene.rules, test: `touch '${begun}'; sleep 60` };
    const stopped = new AbortController();
    const test = expect(PERFORM_QUEUE.testMerged(scene.toolbox(), scene.call(stopped.signal), input)).rejects.toThrow('the worker ends');
    await until(() => existsSync(begun));
    stopped.abort(new Error('the worker ends'));
    await test;
  }
  scene.rules = { ...scene.rules, test: 'false' };
  for (let n = 0; n < 4; n++) expect(await PERFORM_QUEUE.testMerged(scene.toolbox(), scene.call(), input)).toMatchObject({ kind: 'red' });
  expect(await lost(scene, input.commit)).toBe(0);
  expect(sh(scene.folder, 'worktree', 'list').split('\n')).toHaveLength(1);
});

test('the queue sets no time to a test as a whole, each of its commands has its own; and takes out at once what takes workers down', () => {
  const options: ActivityOptions[] = [];
  const context: Partial<QueueContext> = {
    run: 'q1',
    activity: (_name, _input, given) => {
      options.push(given);
      return { promise: new Promise(() => undefined), cancel: () => undefined };
    },
  };
  const state: QueueState = {
    ...emptyQueue(),
    settings: { ...DEFAULT_QUEUE_SETTINGS, timeoutMs: 1000, setup: ['sleep 0.9', 'sleep 0.9', 'sleep 0.9'] },
    target: { repository: '/r', refsIn: 'repository', branch: 'main' },
    line: [{ number: 7, stage: 'testing', tickets: [], merged: { onto: 'x', result: 'y', commits: [] } }],
  };
  attemptCall(context as QueueContext, state, { kind: 'test', attempt: 7 });
  expect(options).toEqual([{ address: 'test-7', heartbeatMs: 30_000, startToCloseMs: 365 * 24 * 3_600_000 }]);
  const broken = brokenBy({ kind: 'test', attempt: 7 }, new ThermidorFailure('queue.test-lost', 'why'));
  expect(broken).toMatchObject({ kind: 'broken', isFault: true });
});
