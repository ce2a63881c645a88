import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PERFORM_QUEUE } from '../../activities/queue/perform-queue';
import type { QueueSettings } from '../../plan/queue/queue-settings';
import type { AskedBy } from '../../plan/queue/ticket';
import { FAILURES } from '../../plan/run/failure';
import { queueId } from '../../records/queues/queue-id';
import { readOutcome, recordResult, wasGreen } from '../../records/queues/queue-ledger';
import { hostId } from '../../worker/worktrees/host-id';
import { sweepRefs } from '../../worker/worktrees/sweep-refs';
import { commit, type Files, never, newGit, scratchFolder, sh, write } from '../git/scene';
import { isRunning } from '../support/agent-programs/programs';
import { until } from '../support/until';
import { QueueScene } from './scene';

describe.each([
  ['a local repository', false],
  ['a remote one', true],
])('in %s', (_, remote) => {
  test('a candidate is merged, tested and landed; another host finds the result', async () => {
    const scene = new QueueScene({ remote });
    const asked = await scene.submit('a', { 'a.txt': 'better\n' });
    const before = scene.head();
    const { onto, result, parts } = await scene.merge([asked]);
    expect([onto, parts]).toEqual([before, [{ ticket: 1, kind: 'merged', commit: result }]]);
    expect(scene.head()).toBe(before);
    expect(await scene.test(result, { test: 'sh test.sh' })).toEqual({ kind: 'green' });
    expect(await scene.advance(onto, result, asked)).toEqual({ kind: 'moved' });
    expect(scene.head()).toBe(result);
    // The same is asked again after a crash between the move and its record.
    expect(await scene.advance(onto, result, asked)).toEqual({ kind: 'moved' });
    expect(await PERFORM_QUEUE.admitCandidate(scene.toolbox(), scene.call(), { run: 'q1', asked })).toEqual({
      kind: 'known',
      outcome: { kind: 'merged', result },
    });
  });

  test('a part of a batch is tested and landed by another host, which finds it within the result', async () => {
    const scene = new QueueScene({ remote });
    const askers = [await scene.submit('a', { 'a.txt': 'better\n' }), await scene.submit('b', { 'b.txt': 'bad\n' })];
    const { onto, result: within, parts } = await scene.merge(askers);
    const commit = parts[0]?.kind === 'merged' ? parts[0].commit : '';
    const shared = { run: 'q1', target: scene.target, within };
    const test = { ...shared, attempt: 2, commit, onto, candidates: [] };
    scene.rules = { ...scene.rules, test: 'sh test.sh' };
    expect(await PERFORM_QUEUE.testMerged(scene.toolbox(), scene.call(), test)).toEqual({ kind: 'green' });
    const next = await scene.submit('c', { 'c.txt': 'fine\n' });
    const merge = { ...shared, onto: commit, candidates: [{ ticket: 3, asked: next }], atMs: 1 };
    expect(await PERFORM_QUEUE.mergeCandidates(scene.toolbox(), scene.call(), merge)).toMatchObject({ parts: [{ kind: 'merged' }] });
    const advance = { ...shared, from: onto, to: commit, candidates: [] };
    expect(await PERFORM_QUEUE.advanceTarget(scene.toolbox(), scene.call(), advance)).toEqual({ kind: 'moved' });
    expect(scene.head()).toBe(commit);
  });

  test('a target that somebody has moved is left alone', async () => {
    const scene = new QueueScene({ remote });
    const asked = await scene.submit('a', { 'a.txt': 'better\n' });
    const { onto, result } = await scene.merge([asked]);
    const theirs = commit(scene.folder, 'theirs', { 'c.txt': 'c\n' });
    if (remote) sh(scene.folder, 'push', '--quiet', 'origin', 'main');
    expect(await scene.advance(onto, result, asked)).toEqual({ kind: 'stale' });
    expect(scene.head()).toBe(theirs);
  });

  test('a squashed result that somebody has built upon is found to have landed', async () => {
    const scene = new QueueScene({ remote });
    const asked = await scene.submit('a', { 'a.txt': 'better\n' });
    const { onto, result } = await scene.merge([asked], { settings: { strategy: 'squash' } });
    await scene.advance(onto, result, asked);
    if (remote) sh(scene.folder, 'pull', '--quiet', '--ff-only', 'origin', 'main');
    commit(scene.folder, 'theirs', { 'c.txt': 'c\n' });
    if (remote) sh(scene.folder, 'push', '--quiet', 'origin', 'main');
    expect(await scene.advance(onto, result, asked)).toEqual({ kind: 'moved' });
  });

  test('refs of attempts that are over are removed, outcomes are recorded once, and askers are woken', async () => {
    const scene = new QueueScene({ remote });
    const asked = await scene.submit('a', { 'a.txt': 'better\n' });
    const { result } = await scene.merge([asked]);
    const kept = () =>
      sh(
        remote ? scene.target.repository.replace('file://', '') : scene.folder,
        'for-each-ref',
        '--format=%(objectname)',
        'refs/thermidor/q1/',
      );
    expect(kept()).toBe(result);
    const outcome = { kind: 'merged', result } as const;
    await recordResult(scene.ledger, queueId(scene.target), asked, result);
    const input = { run: 'q1', target: scene.target, outcomes: [{ asked, outcome }], commits: [result] };
    await PERFORM_QUEUE.concludeTickets(scene.toolbox(), scene.call(), input);
    await PERFORM_QUEUE.concludeTickets(scene.toolbox(), scene.call(), { ...input, outcomes: [{ asked, outcome: { kind: 'dropped' } }] });
    expect([kept(), scene.woken, await readOutcome(scene.ledger, queueId(scene.target), asked)]).toEqual(['', [asked, asked], outcome]);
  });
});

test('of a batch each lies on those before it that merged, and what conflicts is left out', async () => {
  const scene = new QueueScene();
  const a = await scene.submit('a', { 'a.txt': 'one\n' });
  const conflicting = await scene.submit('conflicting', { 'a.txt': 'two\n' });
  const b = await scene.submit('b', { 'b.txt': 'three\n' });
  const { result, parts } = await scene.merge([a, conflicting, b]);
  expect(parts.map(({ kind }) => kind)).toEqual(['merged', 'conflict', 'merged']);
  expect(parts[1]).toMatchObject({ paths: ['a.txt'] });
  expect([sh(scene.folder, 'show', `${result}:a.txt`), sh(scene.folder, 'show', `${result}:b.txt`)]).toEqual(['one', 'three']);
});

test('made again, a result is the same commit', async () => {
  const scene = new QueueScene();
  const asked = await scene.submit('a', { 'a.txt': 'one\n' });
  expect(await scene.merge([asked])).toEqual(await scene.merge([asked]));
});

test('the last order to pause is in the queue’s ledger, in whatever order they come, and those who begin again get it with their rules', async () => {
  const scene = new QueueScene();
  const { target } = scene;
  const pauseOf = async () => (await PERFORM_QUEUE.queueSettings(scene.toolbox(), scene.call(), { run: 'q1', target })).pause;
  expect(await pauseOf()).toBeUndefined();
  const paused = { atMs: 2, n: 2, paused: { by: 'ann', reason: 'a release' } };
  for (const pause of [{ atMs: 1, n: 1, paused: {} }, paused, { atMs: 2, n: 1 }, { atMs: 1, n: 7 }])
    await PERFORM_QUEUE.concludeTickets(scene.toolbox(), scene.call(), { run: 'q1', target, outcomes: [], commits: [], pause });
  expect(await pauseOf()).toEqual(paused);
  const resumed = { run: 'q1', outcomes: [], commits: [], pause: { atMs: 3, n: 1 } };
  await PERFORM_QUEUE.concludeTickets(scene.toolbox(), scene.call(), resumed);
  expect(await pauseOf()).toEqual({ atMs: 3, n: 1 });
});

test('a candidate that touches restricted paths comes back with the list of them', async () => {
  const scene = new QueueScene();
  const a = await scene.submit('a', { 'package-lock.json': '{}\n', 'src/__init__.py': '\n', 'b.txt': 'fine\n' });
  const { parts } = await scene.merge([a], { settings: { restricted: ['**/__init__.py', 'package-lock.json'] } });
  expect(parts).toEqual([{ ticket: 1, kind: 'restricted', paths: ['package-lock.json', 'src/__init__.py'] }]);
  const own = await scene.submit('own', { 'b.txt': 'mine\n' }, { restricted: ['*.txt'] });
  expect((await scene.merge([own])).parts).toMatchObject([{ kind: 'restricted', paths: ['b.txt'] }]);
  const lifting = await scene.submit('lifting', { 'c.txt': 'c\n' }, { restricted: ['*.txt', '!c.txt'] });
  expect((await scene.merge([lifting])).parts).toMatchObject([{ kind: 'merged' }]);
  expect((await scene.merge([lifting], { settings: { restricted: ['*.txt'] } })).parts).toMatchObject([{ kind: 'restricted' }]);
});

test('a repository whose own hook takes all pushes is as others', async () => {
  const scene = new QueueScene();
  sh(scene.folder, 'config', '--add', 'receive.procReceiveRefs', 'refs');
  const asked = await scene.submit('a', { 'a.txt': 'x\n' });
  const { onto, result } = await scene.merge([asked]);
  expect(sh(scene.folder, 'for-each-ref', '--format=%(objectname)', 'refs/thermidor/q1/')).toBe(result);
  expect(await scene.advance(onto, result, asked)).toEqual({ kind: 'moved' });
});

test('what a queue keeps that was terminated, the janitor of the host removes when refs of runs go', async () => {
  const scene = new QueueScene();
  const root = join(scratchFolder(), 'worktrees');
  const { result } = await scene.merge([await scene.submit('a', { 'a.txt': 'x\n' })], {}, scene.toolbox(root));
  const kept = () => sh(scene.folder, 'for-each-ref', '--format=%(objectname)', 'refs/thermidor/q1/');
  expect(kept()).toBe(result);
  const asked: object[] = [];
  const lifeOf = async (run: object) => {
    asked.push(run);
    return { kind: 'ended' as const, atMs: 0 };
  };
  const ports = { root, git: newGit(), host: await hostId(root), storeId: '/state', namespace: 'default', lifeOf };
  await sweepRefs(ports, { nowMs: Date.now(), keepRefsMs: 1000 }, never);
  expect([kept(), asked]).toMatchObject(['', [{ run: 'q1', workflowId: queueId(scene.target) }]]);
});

describe('a candidate with the markers of a conflict comes back with the list of files', () => {
  const MARKED = '<<<<<<< ours\none\n=======\ntwo\n>>>>>>> theirs\n';
  test.each<[string, Files, string[] | undefined]>([
    ['in a new file', { 'new "é".txt': `x\n${MARKED}` }, ['new "é".txt']],
    ['in a file that was there, around lines that were', { 'old.txt': '<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n' }, ['old.txt']],
    ['as diff3 writes them', { 'a.txt': MARKED.replace('=======', '||||||| base\nzero\n=======') }, ['a.txt']],
    ['with ends of lines of Windows', { 'a.txt': MARKED.replaceAll('\n', '\r\n') }, ['a.txt']],
    ['but not where they were before', { 'marked.txt': `${MARKED}more\n` }, undefined],
    ['but not with one of them, as an underlined title', { 'a.txt': 'Title\n=======\n>>>>>>> quoted\n' }, undefined],
    ['but not where they are indented', { 'a.txt': MARKED.replace(/^/gm, '  ') }, undefined],
  ])('%s', async (_, files, paths) => {
    const scene = new QueueScene({ files: { 'old.txt': 'a\nb\n', 'marked.txt': MARKED } });
    const { parts, result, onto } = await scene.merge([await scene.submit('a', files)]);
    expect(parts).toMatchObject([paths ? { kind: 'markers', paths } : { kind: 'merged' }]);
    expect(result === onto).toBe(paths !== undefined);
  });
});

test('a checked-out target with changes is refused before anything is tested, and nothing of it is lost', async () => {
  const scene = new QueueScene();
  const a = await scene.submit('a', { 'a.txt': 'one\n' });
  write(scene.folder, { 'b.txt': 'not committed\n' });
  await expect(scene.merge([a])).rejects.toMatchObject({
    code: 'repository.unusable',
    message: expect.stringContaining('commit or stash'),
  });
  expect(sh(scene.folder, 'status', '--porcelain')).toBe(' M b.txt'.trimStart().replace(/^/, ' '));
});

test('a target whose folder gets changes while it is tested does not move', async () => {
  const scene = new QueueScene();
  const a = await scene.submit('a', { 'a.txt': 'one\n' });
  const { onto, result } = await scene.merge([a]);
  write(scene.folder, { 'a.txt': 'not committed\n' });
  expect(await scene.advance(onto, result, a)).toMatchObject({ kind: 'dirty', message: expect.stringContaining('"a.txt"') });
  expect(scene.head()).toBe(onto);
});

test.each([
  ['a branch that is not there', { branch: 'gone' }, 'repository.unusable'],
  ['a repository that this host does not see', { repository: '/nowhere' }, 'queue.wrong-host'],
])('%s is a failure with a hint', async (_, more, code) => {
  const scene = new QueueScene();
  const target = { ...scene.target, ...more };
  const a = await scene.submit('a', { 'a.txt': 'one\n' }, { target });
  const input = { run: 'q1', target, candidates: [{ ticket: 1, asked: a }], atMs: 1 };
  const merge = PERFORM_QUEUE.mergeCandidates(scene.toolbox(), scene.call(undefined, target), input);
  await expect(merge).rejects.toMatchObject({ code, message: expect.stringContaining('; ') });
});

describe('a host that does not see the repository leaves the work to another, which is not an attempt of the candidate', () => {
  test.each<[string, (scene: QueueScene, asked: AskedBy) => Promise<unknown>]>([
    ['to merge', (scene, asked) => scene.merge([asked])],
    ['to test', (scene, asked) => scene.test('a'.repeat(40), { test: 'true' }, [asked])],
    ['to move the branch', (scene, asked) => scene.advance('a'.repeat(40), 'b'.repeat(40), asked)],
    [
      'to clear away',
      (scene) => {
        const input = { run: 'q1', target: scene.target, outcomes: [], commits: ['a'.repeat(40)] };
        return PERFORM_QUEUE.concludeTickets(scene.toolbox(), scene.call(), input);
      },
    ],
  ])('%s', async (_, work) => {
    const scene = new QueueScene();
    const asked = await scene.submit('a', { 'a.txt': 'x\n' });
    rmSync(scene.folder, { recursive: true });
    await expect(work(scene, asked)).rejects.toMatchObject({ code: 'queue.wrong-host', message: expect.stringContaining(scene.folder) });
    expect(FAILURES['queue.wrong-host'].retried).toBe('temporal');
  });
});

describe('a test of the merged tree', () => {
  test.each<[string, string, Partial<QueueSettings>, object]>([
    ['passes', 'sh test.sh', {}, { kind: 'green' }],
    [
      'fails',
      'echo out; echo err >&2; exit 3',
      {},
      { kind: 'red', of: 'queue', reason: expect.stringContaining('exit code 3'), tail: 'out\n\nerr\n' },
    ],
    ['does not exist', 'no-such-program', {}, { kind: 'red', reason: expect.stringContaining('exit code 127') }],
    ['hangs', 'sleep 100', { timeoutMs: 300 }, { kind: 'red', reason: expect.stringContaining('did not end within') }],
    [
      'floods its output and counts its tests at the end',
      'yes flood | head -c 20000000; echo; echo "tests: 9"',
      { minTests: { count: 9, format: 'line' } },
      { kind: 'green' },
    ],
    ['is killed', 'kill -9 $$', {}, { kind: 'red', reason: expect.stringContaining('SIGKILL') }],
    ['runs enough tests', 'sh test.sh', { minTests: { count: 2, format: 'line' } }, { kind: 'green' }],
    [
      'runs too few tests',
      'sh test.sh',
      { minTests: { count: 3, format: 'line' } },
      { kind: 'red', reason: expect.stringContaining('2 tests') },
    ],
    [
      'passes and says nothing of tests',
      'true',
      { minTests: { count: 1, format: 'tap' } },
      { kind: 'red', reason: expect.stringContaining('no count of tests') },
    ],
  ])('that %s', async (_, command, settings, expected) => {
    const scene = new QueueScene();
    expect(await scene.test(scene.head(), { test: command, ...settings })).toMatchObject(expected);
  });

  test.each([
    ['ends well', 'exit 0'],
    ['fails', 'exit 1'],
    ['hangs', 'sleep 100'],
  ])('that %s leaves no process, and nothing of its own in the repository', async (_, end) => {
    const scene = new QueueScene();
    const pid = join(scratchFolder(), 'pid');
    const before = sh(scene.folder, 'for-each-ref');
    const command = `sleep 300 & echo $! > '${pid}'; git commit -q --allow-empty -m x; touch .git.lock; ${end}`;
    await scene.test(scene.head(), { test: command, timeoutMs: 2000 });
    const left = Number(readFileSync(pid, 'utf8'));
    await until(() => !isRunning(left));
    expect([sh(scene.folder, 'for-each-ref'), sh(scene.folder, 'status', '--porcelain')]).toEqual([before, '']);
  });

  test('is in a clean worktree of its own, which is gone afterwards', async () => {
    const scene = new QueueScene();
    const root = join(scratchFolder(), 'worktrees');
    const box = scene.toolbox(root);
    const seen = await scene.test(scene.head(), { test: 'pwd; git status --porcelain; touch left.txt; exit 1' }, [], box);
    expect(seen).toMatchObject({ tail: expect.stringMatching(new RegExp(`^${root}/trees/[^\\n]*\\n+$`)) });
    expect(await scene.test(scene.head(), { test: 'test ! -e left.txt' }, [], box)).toEqual({ kind: 'green' });
    expect(sh(scene.folder, 'worktree', 'list').split('\n')).toHaveLength(1);
  });

  test('of the candidate runs next to that of the queue, and says whose it is', async () => {
    const scene = new QueueScene();
    const a = await scene.submit('a', { 'a.txt': 'bad\n' }, { test: 'sh test.sh' });
    const { result } = await scene.merge([a]);
    expect(await scene.test(result, { test: 'true' }, [a])).toMatchObject({
      kind: 'red',
      of: 1,
      tail: expect.stringContaining('a.txt is bad'),
    });
  });

  test('that the target fails as well is no candidate’s fault, and what has landed green is not tested again', async () => {
    const scene = new QueueScene();
    const marker = join(scratchFolder(), 'runs');
    const baseline = `echo run >> ${marker}; sh test.sh`;
    const runs = () => (existsSync(marker) ? readFileSync(marker, 'utf8').split('\n').length - 1 : 0);
    const [good, bad] = [
      await scene.submit('good', { 'c.txt': 'fine\n' }, { baseline }),
      await scene.submit('bad', { 'a.txt': 'bad\n' }, { baseline, test: 'exit 3' }),
    ];
    const onto = scene.head();
    const first = await scene.merge([good]);
    expect(await scene.test(first.result, {}, [good], undefined, onto)).toEqual({ kind: 'green' });
    const broken = await scene.merge([bad], { onto: first.result });
    const red = await scene.test(broken.result, {}, [bad], undefined, first.result);
    expect(red).toMatchObject({ kind: 'red', of: 1 });
    expect(red).not.toHaveProperty('isTargets');
    expect(runs()).toBe(2);
    // Somebody has pushed a commit that is red by itself.
    const pushed = commit(scene.folder, 'pushed', { 'b.txt': 'bad\n' });
    const on = await scene.merge([good], { onto: pushed });
    expect(await scene.test(on.result, {}, [good], undefined, pushed)).toMatchObject({ kind: 'red', isTargets: true });
    // A candidate's own test may be red on the target, because the candidate is meant to make it green.
    const own = await scene.submit('own', { 'd.txt': 'd\n' }, { test: 'test -e e.txt' });
    const alone = await scene.merge([own], { onto: first.result });
    expect(await scene.test(alone.result, {}, [own], undefined, first.result)).not.toHaveProperty('isTargets');
  });

  test('by which the target stays green counts only if the target is green, from the first candidate with which it is', async () => {
    const scene = new QueueScene();
    const marker = join(scratchFolder(), 'runs');
    const staysGreen = `echo run >> ${marker}; test -e c.txt && sh test.sh`;
    const runs = () => readFileSync(marker, 'utf8').split('\n').length - 1;
    const [half, whole, bad] = [
      await scene.submit('half', { 'd.txt': 'd\n' }, { staysGreen }),
      await scene.submit('whole', { 'c.txt': 'c\n' }, { staysGreen }),
      await scene.submit('bad', { 'a.txt': 'bad\n' }, { staysGreen }),
    ];
    const start = scene.head();
    const first = await scene.merge([half]);
    expect(await scene.test(first.result, {}, [half], undefined, start)).toEqual({ kind: 'green' });
    expect(runs()).toBe(2);
    // The base of the merge is known to be red, even if another candidate was tried on it before.
    for (const onto of [first.result, start]) {
      const still = await scene.merge([bad], { onto });
      expect(await scene.test(still.result, {}, [bad], undefined, onto)).toEqual({ kind: 'green' });
    }
    expect(runs()).toBe(4);
    const second = await scene.merge([whole], { onto: first.result });
    expect(await scene.test(second.result, {}, [whole], undefined, first.result)).toEqual({ kind: 'green' });
    const third = await scene.merge([bad], { onto: second.result });
    const red = await scene.test(third.result, {}, [bad], undefined, second.result);
    expect(red).toMatchObject({ kind: 'red', of: 1, tail: expect.stringContaining('a.txt is bad') });
    expect(red).toMatchObject({ reason: expect.stringMatching(/exit code 1, and without this candidate the branch passes that test$/) });
    expect(red).not.toHaveProperty('isTargets');
    expect(runs()).toBe(6);
    // A known red result is tested again, and may not land because it is known.
    expect(await scene.test(third.result, {}, [bad], undefined, second.result)).toMatchObject({ kind: 'red' });
  });

  test('by which the target stays green is held to a target that it is prepared as, and does not excuse what all have to pass', async () => {
    const scene = new QueueScene();
    const lenient = await scene.submit('lenient', { 'c.txt': 'c\n' }, { staysGreen: 'exit 3' });
    const strict = await scene.submit('strict', { 'd.txt': 'd\n' }, { test: 'exit 3' });
    const onto = scene.head();
    const { result } = await scene.merge([lenient, strict]);
    expect(await scene.test(result, {}, [lenient, strict], undefined, onto)).toMatchObject({ kind: 'red', of: 2 });
    // If `staysGreen` is the candidate's own test as well, the result is known to be green by it.
    const twice = await scene.submit('twice', { 'f.txt': 'f\n' }, { test: 'test -e f.txt', staysGreen: 'test -e f.txt' });
    const doubled = await scene.merge([twice]);
    expect(await scene.test(doubled.result, {}, [twice], undefined, onto)).toEqual({ kind: 'green' });
    expect(await wasGreen(scene.ledger, queueId(scene.target), doubled.result, 'test -e f.txt')).toBe(true);
    // There are two such tests: if one was red before, that does not excuse the other.
    const other = await scene.submit('other', { 'a.txt': 'bad\n' }, { staysGreen: 'sh test.sh' });
    const both = await scene.merge([lenient, other]);
    expect(await scene.test(both.result, {}, [lenient, other], undefined, onto)).toMatchObject({ kind: 'red', of: 2 });
    const prepared = await scene.submit('prepared', { 'e.txt': 'bad\n' }, { staysGreen: 'test -e ready && sh test.sh' });
    const bad = await scene.merge([prepared]);
    expect(await scene.test(bad.result, { setup: ['touch ready'] }, [prepared], undefined, onto)).toMatchObject({ kind: 'red', of: 1 });
  });

  test('that fails on top of what is tested itself says nothing about that: it has to be green before this one counts', async () => {
    const scene = new QueueScene();
    const marker = join(scratchFolder(), 'runs');
    const ahead = { run: 'q1', attempt: 2, target: scene.target, commit: scene.head(), onto: scene.head(), isAhead: true as const };
    scene.rules = { ...scene.rules, test: `echo run >> ${marker}; exit 1` };
    await scene.built(scene.head());
    const red = await PERFORM_QUEUE.testMerged(scene.toolbox(), scene.call(), { ...ahead, candidates: [] });
    expect([red.kind, 'isTargets' in red, readFileSync(marker, 'utf8')]).toEqual(['red', false, 'run\n']);
  });

  test('is not run again if the candidate’s author has run it on the same tree; the queue’s own always is', async () => {
    const scene = new QueueScene();
    const one = await scene.submit('one', { 'c.txt': 'c\n' }, { test: 'exit 3', baseline: 'exit 4', selfTested: true });
    const same = await scene.merge([one]);
    expect(await scene.test(same.result, {}, [one])).toEqual({ kind: 'green' });
    expect(await scene.test(same.result, { test: 'exit 5' }, [one])).toMatchObject({ kind: 'red', of: 'queue' });
    commit(scene.folder, 'moved', { 'd.txt': 'd\n' });
    const moved = await scene.merge([one]);
    expect(await scene.test(moved.result, {}, [one])).toMatchObject({ kind: 'red', of: 1 });
  });

  test('has all that it printed as an artifact', async () => {
    const scene = new QueueScene();
    const red = await scene.test(scene.head(), { test: 'seq 1 3000; exit 1' });
    if (red.kind !== 'red' || !red.output) throw new Error('it is green');
    expect([(await scene.artifacts.get(red.output)).toString('utf8').split('\n').length, red.tail.length]).toEqual([3001, 4000]);
  });
});

describe('what is believed', () => {
  test('a submission that the asker’s ledger does not have is refused', async () => {
    const scene = new QueueScene();
    const asked = { workflowId: 'run-1', run: 'r1', name: 'forged' };
    expect(await PERFORM_QUEUE.admitCandidate(scene.toolbox(), scene.call(), { run: 'q1', asked })).toMatchObject({ kind: 'refused' });
  });

  test('one for another queue is refused', async () => {
    const scene = new QueueScene();
    const asked = await scene.submit('a', { 'a.txt': 'x\n' }, { target: { ...scene.target, branch: 'other' } });
    expect(await PERFORM_QUEUE.admitCandidate(scene.toolbox(), scene.call(), { run: 'q1', asked })).toMatchObject({ kind: 'refused' });
  });

  test('what was submitted first under a name stays', async () => {
    const scene = new QueueScene();
    const asked = await scene.submit('a', { 'a.txt': 'x\n' });
    const first = await PERFORM_QUEUE.admitCandidate(scene.toolbox(), scene.call(), { run: 'q1', asked });
    await scene.submit('a', { 'a.txt': 'y\n' }, { priority: 1 });
    expect(await PERFORM_QUEUE.admitCandidate(scene.toolbox(), scene.call(), { run: 'q1', asked })).toEqual(first);
  });
});
