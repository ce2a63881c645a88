import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { PERFORM_QUEUE } from '../../activities/queue/perform-queue';
import { DEFAULT_QUEUE_SETTINGS } from '../../plan/queue/queue-settings';
import { ThermidorFailure } from '../../plan/run/failure';
import { queueId } from '../../records/queues/queue-id';
import { never, newGit, scratchFolder, sh } from '../git/scene';
import { killedQueue, type QueueCall } from './killed-queue';
import { QueueScene } from './scene';

/** A worker that is killed at each call of git's, before it and in the middle of it by turns; then another does the work. */
const AT_MS = 1_700_000_000_000;

/** As Temporal tries it again: locks that a killed git has left are nobody's after a while. */
async function again<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ThermidorFailure) || error.code !== 'repository.locked') throw error;
    const git = newGit();
    const locks = await git.locks.list(await git.repositories.open(folder, never));
    for (const { path } of locks) utimesSync(path, new Date(0), new Date(0));
    return await work();
  }
}

interface Killed {
  scene: QueueScene;
  root: string;
}

async function atEachCall(
  remote: boolean,
  prepare: (scene: QueueScene) => Promise<Omit<QueueCall, 'workflowId'>>,
  check: (of: Killed, call: Omit<QueueCall, 'workflowId'>) => Promise<void>,
): Promise<number> {
  let count: number | undefined;
  let next = 0;
  const one = async (): Promise<void> => {
    while (count === undefined) {
      const n = next++;
      const scene = new QueueScene({ remote });
      const root = join(scratchFolder(), 'worktrees');
      const call = await prepare(scene);
      const folders = { root, stateDir: scene.stateDir, workFolder: scene.folder };
      const made = await killedQueue(folders, { ...call, workflowId: queueId(scene.target) }, { call: n, during: n % 2 === 1 });
      count ??= made;
      await check({ scene, root }, call);
    }
  };
  await Promise.all([one(), one(), one()]);
  return count ?? 0;
}

const repositoryOf = ({ target, folder }: QueueScene): string =>
  target.refsIn === 'remote' ? target.repository.replace('file://', '') : folder;

function refsOf(scene: QueueScene): string[] {
  return sh(repositoryOf(scene), 'for-each-ref', '--format=%(refname)', 'refs/').split('\n').filter(Boolean);
}

test('what was being merged is merged once, and nothing has moved', async () => {
  const calls = await atEachCall(
    false,
    async (scene) => {
      const candidates = [{ ticket: 1, asked: await scene.submit('a', { 'a.txt': 'better\n' }) }];
      const { target } = scene;
      return { name: 'mergeCandidates', input: { run: 'q1', target, settings: DEFAULT_QUEUE_SETTINGS, candidates, atMs: AT_MS } };
    },
    async ({ scene, root }, { input }) => {
      const before = scene.head();
      const box = scene.toolbox(root);
      const { result, parts } = await again(scene.folder, () => PERFORM_QUEUE.mergeCandidates(box, scene.call(), input as never));
      expect(parts).toEqual([{ ticket: 1, kind: 'merged', commit: result }]);
      expect(scene.head()).toBe(before);
      expect(refsOf(scene).filter((name) => name.includes('/q1/'))).toEqual([expect.stringContaining(result)]);
    },
  );
  expect(calls).toBeGreaterThan(5);
});

test.each([
  ['a local repository', false],
  ['a remote one', true],
])('a target in %s that was being moved is at the result, with the folder that has it checked out', async (_, remote) => {
  const calls = await atEachCall(
    remote,
    async (scene) => {
      const asked = await scene.submit('a', { 'a.txt': 'better\n' });
      const { onto: from, result: to } = await scene.merge([asked]);
      return {
        name: 'advanceTarget',
        input: { run: 'q1', target: scene.target, from, to, candidates: [{ ticket: 1, asked, commit: to }] },
      };
    },
    async ({ scene, root }, { input }) => {
      const box = scene.toolbox(root);
      expect(await again(scene.folder, () => PERFORM_QUEUE.advanceTarget(box, scene.call(), input as never))).toEqual({ kind: 'moved' });
      expect(scene.head()).toBe((input as { to: string }).to);
      expect(sh(scene.folder, 'status', '--porcelain')).toBe('');
    },
  );
  expect(calls).toBeGreaterThan(4);
});
test('what was being tested is tested, and nothing of either worktree is left', async () => {
  const calls = await atEachCall(
    false,
    async (scene) => ({
      name: 'testMerged',
      input: {
        ...{ run: 'q1', attempt: 1, target: scene.target, commit: scene.head(), candidates: [] },
        settings: { test: 'test ! -e left && touch left && sh test.sh', timeoutMs: 20_000 },
      },
    }),
    async ({ scene, root }, { input }) => {
      const box = scene.toolbox(root);
      expect(await again(scene.folder, () => PERFORM_QUEUE.testMerged(box, scene.call(), input as never))).toEqual({ kind: 'green' });
      expect(readdirSync(join(root, 'trees'))).toEqual([]);
      expect(sh(scene.folder, 'worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(1);
      expect(refsOf(scene)).toEqual(['refs/heads/main']);
    },
  );
  expect(calls).toBeGreaterThan(5);
});
