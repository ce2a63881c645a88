import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PERFORM_QUEUE } from '../../activities/queue/perform-queue';
import { queueId } from '../../records/queues/queue-id';
import { killedAtEachCall, pastLocks } from '../git/killed-program';
import { scratchFolder, sh } from '../git/scene';
import { inSweep, sweepCase } from '../support/sweep';
import { killedQueue, type QueueCall } from './killed-queue';
import { QueueScene } from './scene';

/** A worker is killed at each git call, before it or in the middle of it; then another worker does the work. */
const AT_MS = 1_700_000_000_000;

interface Killed {
  scene: QueueScene;
  root: string;
}

async function atEachCall(
  remote: boolean,
  prepare: (scene: QueueScene) => Promise<Omit<QueueCall, 'workflowId'>>,
  check: (of: Killed, call: Omit<QueueCall, 'workflowId'>) => Promise<void>,
): Promise<number> {
  return await killedAtEachCall(async (killed) => {
    const scene = new QueueScene({ remote });
    const root = join(scratchFolder(), 'worktrees');
    const call = await prepare(scene);
    const folders = { root, stateDir: scene.stateDir, workFolder: scene.folder, rules: scene.rules };
    const calls = await killedQueue(folders, { ...call, workflowId: queueId(scene.target) }, killed);
    await check({ scene, root }, call);
    return calls;
  });
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
      return { name: 'mergeCandidates', input: { run: 'q1', target, candidates, atMs: AT_MS } };
    },
    async ({ scene, root }, { input }) => {
      const before = scene.head();
      const box = scene.toolbox(root);
      const { result, parts } = await pastLocks(scene.folder, () => PERFORM_QUEUE.mergeCandidates(box, scene.call(), input as never));
      expect(parts).toEqual([{ ticket: 1, kind: 'merged', commit: result }]);
      expect(scene.head()).toBe(before);
      expect(refsOf(scene).filter((name) => name.includes('/q1/'))).toEqual([expect.stringContaining(result)]);
    },
  );
  expect(calls).toBeGreaterThan(5);
});

const LOCAL = ['a local repository', false] as const;
test.each(sweepCase([LOCAL], [LOCAL, ['a remote one', true]]))(
  'a target in %s that was being moved is at the result, with the folder that has it checked out',
  async (_, remote) => {
    const calls = await atEachCall(
      remote,
      async (scene) => {
        const asked = await scene.submit('a', { 'a.txt': 'better\n' });
        const { onto: from, result: to } = await scene.merge([asked]);
        await scene.green(to);
        return {
          name: 'advanceTarget',
          input: { run: 'q1', target: scene.target, from, to, candidates: [{ ticket: 1, asked, commit: to }] },
        };
      },
      async ({ scene, root }, { input }) => {
        const box = scene.toolbox(root);
        expect(await pastLocks(scene.folder, () => PERFORM_QUEUE.advanceTarget(box, scene.call(), input as never))).toEqual({
          kind: 'moved',
        });
        expect(scene.head()).toBe((input as { to: string }).to);
        expect(sh(scene.folder, 'status', '--porcelain')).toBe('');
      },
    );
    expect(calls).toBeGreaterThan(4);
  },
);

inSweep.test('what was being tested is tested, and nothing of either worktree is left', async () => {
  const calls = await atEachCall(
    false,
    async (scene) => {
      scene.rules = { ...scene.rules, test: 'test ! -e left && touch left && sh test.sh' };
      await scene.built(scene.head());
      return { name: 'testMerged', input: { run: 'q1', attempt: 1, target: scene.target, commit: scene.head(), candidates: [] } };
    },
    async ({ scene, root }, { input }) => {
      const box = scene.toolbox(root);
      expect(await pastLocks(scene.folder, () => PERFORM_QUEUE.testMerged(box, scene.call(), input as never))).toEqual({ kind: 'green' });
      expect(readdirSync(join(root, 'trees'))).toEqual([]);
      expect(sh(scene.folder, 'worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(1);
      expect(refsOf(scene)).toEqual(['refs/heads/main']);
    },
  );
  expect(calls).toBeGreaterThan(5);
});
