import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PERFORM_QUEUE } from '../../activities/queue/perform-queue';
import type { QueueActivityName } from '../../plan/queue/queue-activities';
import { ThermidorFailure } from '../../plan/run/failure';
import { mergeQueue } from '../../workflows/queue/queue';
import type { QueueContext, QueueInbound } from '../../workflows/queue/queue-context';
import { Cancelled } from '../../workflows/run-context';
import { never, scratchFolder } from '../git/scene';
import { QueueScene } from './scene';

/** Worktrees of tests whose worker was killed and that nobody tries again, because they were cancelled or had been tried too often. */

const treesIn = (root: string): string[] => [...readdirSync(join(root, 'trees')), ...readdirSync(join(root, 'records'))];

/** Leaves worktrees like a worker that was killed. */
async function leftBehind(scene: QueueScene, root: string, ...slots: string[]): Promise<void> {
  const { worktrees, ledger } = scene.toolbox(root);
  if (!worktrees) throw new Error('this host has worktrees');
  const { branch: _branch, ...origin } = scene.target;
  const plan = { ...origin, base: scene.head(), copy: [], keep: false };
  for (const slot of slots) {
    await ledger.putIfAbsent(scene.call().key, `worktree/${slot}/1`, { host: await worktrees.host() });
    await worktrees.open({ key: scene.call().key, slot, epoch: 1 }, plan, scene.head(), async () => undefined, never);
  }
}

function concluded(scene: QueueScene, root: string, left: number[]): Promise<void> {
  return PERFORM_QUEUE.concludeTickets(scene.toolbox(root), scene.call(), {
    ...{ run: 'q1', target: scene.target, outcomes: [], commits: [], left },
  });
}

test('are removed when tickets are concluded; those of other attempts stay', async () => {
  const scene = new QueueScene();
  const root = join(scratchFolder(), 'worktrees');
  await leftBehind(scene, root, 'test/5', 'test/5/target', 'test/6');
  expect(treesIn(root)).toHaveLength(6);
  await concluded(scene, root, [5]);
  expect(treesIn(root).map((name) => name.slice(0, 6))).toEqual(['test-6', 'test-6']);
});

test('belong to the host that concludes from then on: the janitor of the other one may remove them', async () => {
  const scene = new QueueScene();
  const [theirs, ours] = [join(scratchFolder(), 'theirs'), join(scratchFolder(), 'ours')];
  await leftBehind(scene, theirs, 'test/5');
  await concluded(scene, ours, [5]);
  expect(treesIn(theirs)).toHaveLength(2);
  expect(await scene.ledger.get(scene.call().key, 'worktree/test/5/2')).toBeDefined();
});

/**
 * A queue with two candidates, one on top of the other. The first is red, so the test of the second is cancelled, and ends with the given
 * error.
 */
async function leftOf(endOfSecond: Error): Promise<unknown[]> {
  const asks: Record<string, unknown>[] = [];
  let inbound: QueueInbound | undefined;
  let merges = 0;
  const answers: Partial<Record<QueueActivityName, (input: never) => unknown>> = {
    admitCandidate: ({ asked: { name } }: { asked: { name: string } }) => ({
      ...{ kind: 'admitted', target: { repository: '/r', refsIn: 'repository', branch: 'main' } },
      candidate: { candidate: name, title: name, author: 'me', priority: 3 },
    }),
    queueSettings: () => ({ timeoutMs: 1, batch: 1, speculate: 2, strategy: 'merge', restricted: [] }),
    mergeCandidates: ({ onto = 'base', candidates }: { onto?: string; candidates: { ticket: number }[] }) => {
      const commit = `m${++merges}`;
      return { onto, result: commit, parts: candidates.map(({ ticket }) => ({ ticket, kind: 'merged', commit })) };
    },
    advanceTarget: () => ({ kind: 'moved' }),
    concludeTickets: (input: Record<string, unknown>) => void asks.push(input),
  };
  const tests: { end: (answer: unknown) => void; fail: (error: Error) => void }[] = [];
  const context: QueueContext = {
    run: 'q1',
    now: () => 0,
    activity(name, input) {
      const answer = answers[name];
      if (answer) return { promise: Promise.resolve(answer(input as never) as never), cancel: () => undefined };
      const at = tests.length;
      const promise = new Promise<never>((end, fail) => tests.push({ end: end as (answer: unknown) => void, fail }));
      return { promise, cancel: () => tests[at]?.fail(endOfSecond) };
    },
    sleep: () => Promise.resolve(),
    listen: (one) => {
      inbound = one;
    },
    until: () => new Promise(() => undefined),
    historyIsFull: () => false,
    handlersFinished: () => Promise.resolve(),
    saveState: () => Promise.reject(new Error('not here')),
    loadState: () => Promise.reject(new Error('not here')),
    continueAsNew: () => Promise.reject(new Error('not here')),
  };
  void mergeQueue(context, {});
  for (const name of ['a', 'b']) inbound?.submit({ workflowId: 'w', run: 'r', name });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  await settled();
  expect(tests).toHaveLength(2);
  tests[0]?.end({ kind: 'red', of: 'queue', reason: 'no', tail: '' });
  await settled();
  const before = asks.length;
  expect(tests).toHaveLength(3);
  tests[2]?.end({ kind: 'green' });
  await settled();
  await settled();
  const lefts = asks.map(({ left, outcomes }) => [left, (outcomes as unknown[]).length]);
  return [lefts.slice(0, before), lefts.slice(before)];
}

test('of a worker that does not answer any more are removed at once', async () => {
  const [before, after] = (await leftOf(new ThermidorFailure('worker.lost', 'gone'))) as unknown[][];
  expect(before).toContainEqual([[2], 0]);
  expect(after?.flat()).not.toContainEqual([2]);
});

test('of a test that is called off are removed at once, for it may have been waiting to be tried again, and nobody has heard of it', async () => {
  const [before] = (await leftOf(new Cancelled())) as unknown[][];
  expect(before).toContainEqual([[2], 0]);
});
