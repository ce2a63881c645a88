import { PERFORM } from '../../activities/perform';
import { PERFORM_QUEUE } from '../../activities/queue/perform-queue';
import { recordSlot } from '../../activities/worktrees/slot-record';
import type { SubmitCandidateInput } from '../../plan/queue/landing';
import type { QueueTarget } from '../../plan/queue/ticket';
import type { Step } from '../../plan/steps/step';
import { queueId } from '../../records/queues/queue-id';
import { readSubmission } from '../../records/queues/queue-ledger';
import { handle } from '../../workflows/queue/machine';
import { emptyQueue } from '../../workflows/queue/queue-state';
import { KEY, workshop } from '../activities/workshop';
import { commit, sh } from '../git/scene';
import { QueueScene } from './scene';

/** A queue acts by ledgers and by the worker's own rules, and not by the input of an activity. */

const NOT_RECORDED = { code: 'queue.not-recorded' };

async function merged(files = { 'a.txt': 'better\n' }) {
  const scene = new QueueScene();
  scene.rules = { ...scene.rules, test: 'sh test.sh' };
  const asked = await scene.submit('a', files);
  const { onto, result } = await scene.merge([asked]);
  const candidates = [{ ticket: 1, asked, commit: result }];
  const { target } = scene;
  const test = { run: 'q1', attempt: 1, target, commit: result, onto, candidates };
  return { scene, asked, onto, result, test, advance: { run: 'q1', target, from: onto, to: result, candidates } };
}

test('the target moves to what was tested green, and to nothing else', async () => {
  const green = await merged();
  const { scene, onto, advance } = green;
  const moves = (input = advance) => PERFORM_QUEUE.advanceTarget(scene.toolbox(), scene.call(), input);
  await expect(moves()).rejects.toMatchObject(NOT_RECORDED);
  expect(await PERFORM_QUEUE.testMerged(scene.toolbox(), scene.call(), green.test)).toEqual({ kind: 'green' });
  await expect(moves({ ...advance, to: scene.candidate('other', { 'b.txt': 'b\n' }) })).rejects.toMatchObject(NOT_RECORDED);
  // Another worker has a different test, or the test was changed in the meantime.
  scene.rules = { ...scene.rules, test: 'true' };
  await expect(moves()).rejects.toMatchObject(NOT_RECORDED);
  scene.rules = { ...scene.rules, test: 'sh test.sh' };
  expect(scene.head()).toBe(onto);
  expect(await moves()).toEqual({ kind: 'moved' });

  const red = await merged({ 'a.txt': 'bad\n' });
  expect(await PERFORM_QUEUE.testMerged(red.scene.toolbox(), red.scene.call(), red.test)).toMatchObject({ kind: 'red' });
  await expect(PERFORM_QUEUE.advanceTarget(red.scene.toolbox(), red.scene.call(), red.advance)).rejects.toMatchObject(NOT_RECORDED);
  expect(red.scene.head()).toBe(red.onto);
});

test('the target loses nothing: what was green once and is not on top of it stays where it is', async () => {
  const { scene, result, test: input, advance } = await merged();
  await PERFORM_QUEUE.testMerged(scene.toolbox(), scene.call(), input);
  const theirs = commit(scene.folder, 'theirs', { 'c.txt': 'c\n' });
  const back = PERFORM_QUEUE.advanceTarget(scene.toolbox(), scene.call(), { ...advance, from: theirs });
  await expect(back).rejects.toMatchObject({ ...NOT_RECORDED, message: `${result} is not on top of ${theirs}` });
  expect(scene.head()).toBe(theirs);
});

test('settings that an input brings are not obeyed', async () => {
  const { scene, test: input } = await merged();
  const forged = { ...input, settings: { timeoutMs: 9000, test: `touch ${scene.folder}/owned; exit 1` } };
  expect(await PERFORM_QUEUE.testMerged(scene.toolbox(), scene.call(), forged)).toEqual({ kind: 'green' });
  scene.rules = { ...scene.rules, restricted: ['a.txt'] };
  const { target } = scene;
  const candidates = [{ ticket: 2, asked: await scene.submit('b', { 'a.txt': 'b\n' }) }];
  const lifted = { run: 'q1', target, candidates, atMs: 1, settings: { strategy: 'squash', restricted: [] } };
  expect(await PERFORM_QUEUE.mergeCandidates(scene.toolbox(), scene.call(), lifted)).toMatchObject({ parts: [{ kind: 'restricted' }] });
  expect(sh(scene.folder, 'status', '--porcelain')).toBe('');
});

test('only what the queue has merged is tested or merged onto, and only what has landed is concluded as that', async () => {
  const { scene, asked, test: input } = await merged();
  const stranger = scene.candidate('stranger', { 'test.sh': 'touch owned\n' });
  const box = scene.toolbox();
  for (const other of [{ commit: stranger }, { onto: stranger }, { within: stranger }])
    await expect(PERFORM_QUEUE.testMerged(box, scene.call(), { ...input, ...other })).rejects.toMatchObject(NOT_RECORDED);
  const { target, candidates } = input;
  const merge = { run: 'q1', target, candidates, atMs: 1, onto: stranger };
  await expect(PERFORM_QUEUE.mergeCandidates(box, scene.call(), merge)).rejects.toMatchObject(NOT_RECORDED);
  const outcomes = [{ asked, outcome: { kind: 'merged', result: stranger } as const }];
  const conclude = { run: 'q1', target, outcomes, commits: [] };
  await expect(PERFORM_QUEUE.concludeTickets(box, scene.call(), conclude)).rejects.toMatchObject(NOT_RECORDED);
});

test('a candidate is for the repository of its worktree, and by which test of the step the target stays green is in the plan, whatever an input says', async () => {
  const scene = new QueueScene();
  const shop = workshop({}, scene.stateDir);
  const team: Step = {
    ...{ id: 'build', kind: 'caid', prompt: 'b'.repeat(64), into: 'main', engineers: 1, verify: 'self', isolation: 'worktree' },
    ...{ restricted: [], limits: { rounds: 1, returns: 1 }, parts: [], testEnd: 'npm test' },
  };
  await shop.open([team, { id: 'plain', kind: 'command', command: { shell: ['true'] } }]);
  const { repository, refsIn } = scene.target;
  const from = { repository, refsIn, ref: 'refs/x', slot: 'build/build_engineer', commit: scene.candidate('a', { 'a.txt': 'x\n' }) };
  const plan = { repository, refsIn, base: scene.head(), copy: [], keep: false };
  await recordSlot(scene.ledger, KEY, from.slot, { plan, reads: {} });
  const submitted = async (step: string, staysGreen: unknown) => {
    const name = `${step}#1~1/land-${String(staysGreen)}`;
    const input = {
      run: KEY.run,
      name,
      from: { ...from, repository: '/srv/other', refsIn: 'remote' },
      into: 'main',
      title: 'a',
      author: 'e1',
      priority: 3,
      staysGreen,
    } as SubmitCandidateInput;
    await PERFORM.submitCandidate(scene.toolbox(), shop.call(`${name}/submit`), input);
    const submission = await readSubmission(scene.ledger, { ...KEY, name });
    expect(submission?.target).toEqual(scene.target);
    return submission?.staysGreen;
  };
  expect(await submitted('build', true)).toBe('npm test');
  expect(await submitted('build', 'touch owned')).toBe('npm test');
  expect(await submitted('build', undefined)).toBeUndefined();
  await expect(submitted('plain', true)).rejects.toMatchObject({ code: 'internal' });
});

describe('a `#` in a path or a branch', () => {
  const of = (repository: string, branch: string): QueueTarget => ({ repository, refsIn: 'repository', branch });

  test('leaves each branch its own queue, and others their names', () => {
    const targets = [of('/srv/lib#x', 'main'), of('/srv/lib', 'x#main'), of('/srv/lib%23x', 'main'), of('/srv/lib', 'x%23main')];
    expect(new Set(targets.map(queueId)).size).toBe(4);
    expect(queueId(of('/srv/lib#x', 'main'))).toBe('queue:/srv/lib%23x#main');
    expect(queueId(of('/srv/lib', 'feature/a-b'))).toBe('queue:/srv/lib#feature/a-b');
    expect(queueId(of(`/srv/${'l'.repeat(300)}`, 'main')).length).toBeLessThanOrEqual(200);
  });

  test('neither a queue nor its activities take what was submitted for another branch', async () => {
    const scene = new QueueScene();
    const other = of(`${scene.folder}#x`, 'main');
    const asked = await scene.submit('a', { 'a.txt': 'x\n' }, { target: other });
    const { target } = scene;
    const candidates = [{ ticket: 1, asked, commit: scene.head() }];
    await scene.green(scene.head());
    await scene.built(scene.head());
    const box = scene.toolbox();
    expect(await PERFORM_QUEUE.admitCandidate(box, scene.call(), { run: 'q1', asked })).toMatchObject({ kind: 'refused' });
    const calls = {
      merge: () => PERFORM_QUEUE.mergeCandidates(box, scene.call(), { run: 'q1', target, candidates, atMs: 1 }),
      test: () => PERFORM_QUEUE.testMerged(box, scene.call(), { run: 'q1', attempt: 1, target, commit: scene.head(), candidates }),
      advance: () =>
        PERFORM_QUEUE.advanceTarget(box, scene.call(), { run: 'q1', target, from: scene.head(), to: scene.head(), candidates }),
      rules: () => PERFORM_QUEUE.queueSettings(box, scene.call(), { run: 'q1', target: other }),
      conclude: () => PERFORM_QUEUE.concludeTickets(box, scene.call(), { run: 'q1', target: other, outcomes: [], commits: [] }),
    };
    for (const call of Object.values(calls)) await expect(call()).rejects.toMatchObject(NOT_RECORDED);
  });

  test('the machine keeps to the branch that it began with', () => {
    const state = { ...emptyQueue(), target: of('/srv/lib', 'main') };
    handle(state, { kind: 'asked', asked: { workflowId: 'w', run: 'r', name: 'n' } });
    const candidate = { candidate: 'c', title: 't', author: 'a', priority: 3 } as const;
    handle(state, { kind: 'admitted', ticket: 1, admission: { kind: 'admitted', target: of('/srv/lib', 'other'), candidate } });
    expect(state).toMatchObject({ target: { branch: 'main' }, ending: [{ outcome: { kind: 'refused' } }], tickets: [] });
  });
});
