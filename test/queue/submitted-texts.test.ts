import { signedCommit } from '../../activities/worktrees/signed-commit';
import type { ThermidorFailure } from '../../plan/run/failure';
import { branchProblem } from '../../plan/text/ref-name';
import { sh } from '../git/scene';
import { QueueScene } from './scene';

/** Tests texts that people and agents submit to a queue: names of branches, titles, and authors. */
const BRANCHES = ['a b', 'HEAD', '@', 'main\n', 'a\u001b[31m', '', '-x', 'a..b', 'a.lock', 'x'.repeat(10_000), `${'y/'.repeat(600)}z`];

describe('a branch whose name git does not take', () => {
  it.each(BRANCHES)('%j is refused where it is submitted, and no queue is asked', async (branch) => {
    const scene = new QueueScene();
    const asked: string[] = [];
    const box = scene.toolbox();
    const watched = { ...box, queueAsker: { ...box.queueAsker!, ask: async (queue: string) => ({ number: asked.push(queue) }) } };
    scene.toolbox = () => watched;
    const refused = scene.submit('a', { 'a.txt': 'b\n' }, { target: { ...scene.target, branch } });
    await expect(refused).rejects.toMatchObject({ code: 'merge.refused', message: expect.stringMatching(/name of a branch.*; /s) });
    await refused.catch((error: unknown) => expect((error as ThermidorFailure).message.length).toBeLessThan(300));
    expect(asked).toEqual([]);
  });

  it.each(['main', 'feature/ä-1', 'a.b', 'head', 'x'.repeat(250)])('is not %j', (branch) => {
    expect(branchProblem(branch)).toBeUndefined();
  });
});

test('neither title nor author brings control characters, or lines of their own, into the message of a commit', async () => {
  const scene = new QueueScene();
  const hostile = 'Fix\u001b]0;owned\u0007 \u001b[31mit\u202e\r\n\nSigned-off-by: nobody\u0000';
  const asked = await scene.submit('a', { 'a.txt': 'x\n' }, { title: hostile, author: hostile });
  const { result } = await scene.merge([asked]);
  const message = sh(scene.folder, 'log', '-1', '--format=%B', result);
  expect(message.trimEnd().split('\n')).toEqual(['Merge Fix it Signed-off-by: nobody', '', `Thermidor-Run: ${asked.workflowId}`]);
});

test('nor does the name of its submitter, which is that of the run', () => {
  const key = { workflowId: 'person:ann\u001b[31m\nCo-authored-by: bob', run: 'submissions' };
  const { message } = signedCommit({ nowMs: () => 0 }, { key }, 'Work');
  expect(message).toBe('Work\n\nThermidor-Run: person:ann Co-authored-by: bob\n');
});
