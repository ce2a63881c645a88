import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { ActivityCall } from '../../activities/activity-call';
import { GroupProcessRunner } from '../../activities/adapters/processes/process-runner';
import { PERFORM_QUEUE } from '../../activities/queue/perform-queue';
import { submitCandidate } from '../../activities/queue/submit-candidate';
import type { WorkerToolbox } from '../../activities/toolbox';
import type { QueueSettings } from '../../plan/queue/queue-settings';
import { DEFAULT_QUEUE_SETTINGS } from '../../plan/queue/queue-settings';
import type { AskedBy, QueueTarget, Submission } from '../../plan/queue/ticket';
import { MemoryArtifacts, MemoryLedger } from '../../records/memory/memory-store';
import { queueId } from '../../records/queues/queue-id';
import { readOutcome } from '../../records/queues/queue-ledger';
import { createMergeHost } from '../../worker/queues/merge-host';
import { hostId } from '../../worker/worktrees/host-id';
import { createHostWorktrees } from '../../worker/worktrees/host-worktrees';
import { commit, type Files, never, newGit, newRepository, scratchFolder, sh, write } from '../git/scene';
import { PORTS } from '../worktrees/host-scene';

const TESTS = {
  'a.txt': 'a\n',
  'b.txt': 'b\n',
  'test.sh': 'for f in *.txt; do grep -q bad "$f" && { echo "$f is bad"; exit 1; }; done; echo "tests: 2"\n',
};

/** A repository with a queue for `main`, on one host. */
class Scene {
  readonly folder: string;
  readonly target: QueueTarget;
  readonly woken: AskedBy[] = [];
  readonly ledger = new MemoryLedger();
  readonly artifacts = new MemoryArtifacts();
  private asked = 0;

  constructor({ files = TESTS, remote = false }: { files?: Files; remote?: boolean } = {}) {
    this.folder = newRepository(files);
    const bare = join(scratchFolder(), 'origin.git');
    if (remote) {
      execFileSync('git', ['clone', '--quiet', '--bare', this.folder, bare]);
      sh(this.folder, 'remote', 'add', 'origin', `file://${bare}`);
      this.target = { repository: `file://${bare}`, refsIn: 'remote', remote: { name: 'origin', checkout: '.' }, branch: 'main' };
    } else {
      this.target = { repository: join(this.folder, '.git').replace(/\/\.git$/, ''), refsIn: 'repository', branch: 'main' };
    }
  }

  /** What a worker has whose folder of worktrees, and clones, are its own. */
  toolbox(root = join(scratchFolder(), 'worktrees')): WorkerToolbox {
    const options = {
      git: newGit(),
      settings: { folder: root, ports: PORTS },
      id: () => hostId(root),
      stateDir: async () => '/state',
      namespace: 'default',
      taskQueue: 'thermidor',
      workFolder: this.folder,
      environment: { PATH: process.env['PATH'] },
    };
    const presence = { isAlive: async () => true, announce: async () => () => Promise.resolve() };
    const box: Partial<WorkerToolbox> = {
      ...{ ledger: this.ledger, artifacts: this.artifacts, processes: new GroupProcessRunner(), secrets: { resolve: async () => '' } },
      worktrees: createHostWorktrees({ ...options, presence }),
      mergeHost: createMergeHost({ ...options, rules: () => DEFAULT_QUEUE_SETTINGS }),
      queueAsker: {
        ask: async () => ({ number: ++this.asked }),
        wake: async (asked) => void this.woken.push(asked),
      },
      log: () => undefined,
    };
    return box as WorkerToolbox;
  }

  call(signal = never): ActivityCall {
    return { key: { workflowId: queueId(this.target), run: 'q1' }, id: 'x', attempt: 1, signal, heartbeat: () => undefined };
  }

  /** A commit on top of main, kept by a ref of its run. */
  candidate(name: string, files: Files): string {
    sh(this.folder, 'checkout', '--quiet', '--detach', 'main');
    const id = commit(this.folder, name, files);
    sh(this.folder, 'update-ref', `refs/thermidor/run/${name}/1`, id);
    if (this.target.refsIn === 'remote') sh(this.folder, 'push', '--quiet', 'origin', `${id}:refs/thermidor/run/${name}/1`);
    sh(this.folder, 'checkout', '--quiet', 'main');
    return id;
  }

  async submit(name: string, files: Files, more: Partial<Submission> = {}): Promise<AskedBy> {
    const asked = { workflowId: 'run-1', run: 'r1', name };
    const submission = {
      target: this.target,
      candidate: this.candidate(name, files),
      title: name,
      author: 'engineer',
      priority: 3,
      ...more,
    } as const;
    await submitCandidate(this.toolbox(), asked, submission);
    return asked;
  }

  async merge(asked: AskedBy[], more: { onto?: string; settings?: Partial<QueueSettings> } = {}, box = this.toolbox()) {
    const candidates = asked.map((one, i) => ({ ticket: i + 1, asked: one }));
    const settings = { ...DEFAULT_QUEUE_SETTINGS, ...more.settings };
    const onto = more.onto === undefined ? {} : { onto: more.onto };
    return await PERFORM_QUEUE.mergeCandidates(box, this.call(), {
      run: 'q1',
      target: this.target,
      settings,
      ...onto,
      candidates,
      atMs: 1_700_000_000_000,
    });
  }

  async test(commitId: string, settings: Partial<QueueSettings>, asked: AskedBy[] = [], box = this.toolbox()) {
    const candidates = asked.map((one, i) => ({ ticket: i + 1, asked: one }));
    const input = {
      run: 'q1',
      attempt: 1,
      target: this.target,
      settings: { timeoutMs: 20_000, ...settings },
      commit: commitId,
      candidates,
    };
    return await PERFORM_QUEUE.testMerged(box, this.call(), input);
  }

  async advance(from: string, to: string, asked: AskedBy, box = this.toolbox()) {
    const candidates = [{ ticket: 1, asked, commit: to }];
    return await PERFORM_QUEUE.advanceTarget(box, this.call(), { run: 'q1', target: this.target, from, to, candidates });
  }

  head(): string {
    const { repository, refsIn } = this.target;
    return refsIn === 'remote' ? sh(repository.replace('file://', ''), 'rev-parse', 'main') : sh(this.folder, 'rev-parse', 'main');
  }
}

describe.each([
  ['a local repository', false],
  ['a remote one', true],
])('in %s', (_, remote) => {
  test('a candidate is merged, tested and landed; another host finds the result', async () => {
    const scene = new Scene({ remote });
    const asked = await scene.submit('a', { 'a.txt': 'better\n' });
    const before = scene.head();
    const { onto, result, parts } = await scene.merge([asked]);
    expect([onto, parts]).toEqual([before, [{ ticket: 1, kind: 'merged', commit: result }]]);
    expect(scene.head()).toBe(before);
    expect(await scene.test(result, { test: 'sh test.sh' })).toEqual({ kind: 'green' });
    expect(await scene.advance(onto, result, asked)).toEqual({ kind: 'moved' });
    expect(scene.head()).toBe(result);
    // As after a crash between the move and its record.
    expect(await scene.advance(onto, result, asked)).toEqual({ kind: 'moved' });
    expect(await PERFORM_QUEUE.admitCandidate(scene.toolbox(), scene.call(), { run: 'q1', asked })).toEqual({
      kind: 'known',
      outcome: { kind: 'merged', result },
    });
  });

  test('a target that somebody has moved is left alone', async () => {
    const scene = new Scene({ remote });
    const asked = await scene.submit('a', { 'a.txt': 'better\n' });
    const { onto, result } = await scene.merge([asked]);
    const theirs = commit(scene.folder, 'theirs', { 'c.txt': 'c\n' });
    if (remote) sh(scene.folder, 'push', '--quiet', 'origin', 'main');
    expect(await scene.advance(onto, result, asked)).toEqual({ kind: 'stale' });
    expect(scene.head()).toBe(theirs);
  });

  test('a squashed result that somebody has built upon is found to have landed', async () => {
    const scene = new Scene({ remote });
    const asked = await scene.submit('a', { 'a.txt': 'better\n' });
    const { onto, result } = await scene.merge([asked], { settings: { strategy: 'squash' } });
    await scene.advance(onto, result, asked);
    if (remote) sh(scene.folder, 'pull', '--quiet', '--ff-only', 'origin', 'main');
    commit(scene.folder, 'theirs', { 'c.txt': 'c\n' });
    if (remote) sh(scene.folder, 'push', '--quiet', 'origin', 'main');
    expect(await scene.advance(onto, result, asked)).toEqual({ kind: 'moved' });
  });

  test('refs of attempts that are over are removed, outcomes are recorded once, and askers are woken', async () => {
    const scene = new Scene({ remote });
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
    const input = { run: 'q1', target: scene.target, outcomes: [{ asked, outcome }], commits: [result] };
    await PERFORM_QUEUE.concludeTickets(scene.toolbox(), scene.call(), input);
    await PERFORM_QUEUE.concludeTickets(scene.toolbox(), scene.call(), { ...input, outcomes: [{ asked, outcome: { kind: 'dropped' } }] });
    expect([kept(), scene.woken, await readOutcome(scene.ledger, queueId(scene.target), asked)]).toEqual(['', [asked, asked], outcome]);
  });
});

test('of a batch each lies on those before it that merged, and what conflicts is left out', async () => {
  const scene = new Scene();
  const a = await scene.submit('a', { 'a.txt': 'one\n' });
  const conflicting = await scene.submit('conflicting', { 'a.txt': 'two\n' });
  const b = await scene.submit('b', { 'b.txt': 'three\n' });
  const { result, parts } = await scene.merge([a, conflicting, b]);
  expect(parts.map(({ kind }) => kind)).toEqual(['merged', 'conflict', 'merged']);
  expect(parts[1]).toMatchObject({ paths: ['a.txt'] });
  expect([sh(scene.folder, 'show', `${result}:a.txt`), sh(scene.folder, 'show', `${result}:b.txt`)]).toEqual(['one', 'three']);
});

test('made again, a result is the same commit', async () => {
  const scene = new Scene();
  const asked = await scene.submit('a', { 'a.txt': 'one\n' });
  expect(await scene.merge([asked])).toEqual(await scene.merge([asked]));
});

test('a candidate that touches restricted paths comes back with the list of them', async () => {
  const scene = new Scene();
  const a = await scene.submit('a', { 'package-lock.json': '{}\n', 'src/__init__.py': '\n', 'b.txt': 'fine\n' });
  const { parts } = await scene.merge([a], { settings: { restricted: ['**/__init__.py', 'package-lock.json'] } });
  expect(parts).toEqual([{ ticket: 1, kind: 'restricted', paths: ['package-lock.json', 'src/__init__.py'] }]);
  const own = await scene.submit('own', { 'b.txt': 'mine\n' }, { restricted: ['*.txt'] });
  expect((await scene.merge([own])).parts).toMatchObject([{ kind: 'restricted', paths: ['b.txt'] }]);
});

test('a checked-out target with changes is refused before anything is tested, and nothing of it is lost', async () => {
  const scene = new Scene();
  const a = await scene.submit('a', { 'a.txt': 'one\n' });
  write(scene.folder, { 'b.txt': 'not committed\n' });
  await expect(scene.merge([a])).rejects.toMatchObject({
    code: 'repository.unusable',
    message: expect.stringContaining('commit or stash'),
  });
  expect(sh(scene.folder, 'status', '--porcelain')).toBe(' M b.txt'.trimStart().replace(/^/, ' '));
});

test('a target whose folder gets changes while it is tested does not move', async () => {
  const scene = new Scene();
  const a = await scene.submit('a', { 'a.txt': 'one\n' });
  const { onto, result } = await scene.merge([a]);
  write(scene.folder, { 'a.txt': 'not committed\n' });
  expect(await scene.advance(onto, result, a)).toMatchObject({ kind: 'dirty', message: expect.stringContaining('"a.txt"') });
  expect(scene.head()).toBe(onto);
});

test.each([
  ['a branch that is not there', { branch: 'gone' }, 'repository.unusable'],
  ['a repository that this host does not see', { repository: '/nowhere' }, 'worktree.unavailable'],
])('%s is a failure with a hint', async (_, more, code) => {
  const scene = new Scene();
  const a = await scene.submit('a', { 'a.txt': 'one\n' });
  const merge = PERFORM_QUEUE.mergeCandidates(scene.toolbox(), scene.call(), {
    ...{ run: 'q1', target: { ...scene.target, ...more }, settings: DEFAULT_QUEUE_SETTINGS },
    ...{ candidates: [{ ticket: 1, asked: a }], atMs: 1 },
  });
  await expect(merge).rejects.toMatchObject({ code, message: expect.stringContaining('; ') });
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
    const scene = new Scene();
    expect(await scene.test(scene.head(), { test: command, ...settings })).toMatchObject(expected);
  });

  test('is in a clean worktree of its own, which is gone afterwards', async () => {
    const scene = new Scene();
    const root = join(scratchFolder(), 'worktrees');
    const box = scene.toolbox(root);
    const seen = await scene.test(scene.head(), { test: 'pwd; git status --porcelain; touch left.txt; exit 1' }, [], box);
    expect(seen).toMatchObject({ tail: expect.stringMatching(new RegExp(`^${root}/trees/[^\\n]*\\n+$`)) });
    expect(await scene.test(scene.head(), { test: 'test ! -e left.txt' }, [], box)).toEqual({ kind: 'green' });
    expect(sh(scene.folder, 'worktree', 'list').split('\n')).toHaveLength(1);
  });

  test('of the candidate runs beside that of the queue, and says whose it is', async () => {
    const scene = new Scene();
    const a = await scene.submit('a', { 'a.txt': 'bad\n' }, { test: 'sh test.sh' });
    const { result } = await scene.merge([a]);
    expect(await scene.test(result, { test: 'true' }, [a])).toMatchObject({
      kind: 'red',
      of: 1,
      tail: expect.stringContaining('a.txt is bad'),
    });
  });

  test('has all that it printed as an artifact', async () => {
    const scene = new Scene();
    const red = await scene.test(scene.head(), { test: 'seq 1 3000; exit 1' });
    if (red.kind !== 'red' || !red.output) throw new Error('it is green');
    expect([(await scene.artifacts.get(red.output)).toString('utf8').split('\n').length, red.tail.length]).toEqual([3001, 4000]);
  });
});

describe('what is believed', () => {
  test('a submission that the asker’s ledger does not have is refused', async () => {
    const scene = new Scene();
    const asked = { workflowId: 'run-1', run: 'r1', name: 'forged' };
    expect(await PERFORM_QUEUE.admitCandidate(scene.toolbox(), scene.call(), { run: 'q1', asked })).toMatchObject({ kind: 'refused' });
  });

  test('one for another queue is refused', async () => {
    const scene = new Scene();
    const asked = await scene.submit('a', { 'a.txt': 'x\n' }, { target: { ...scene.target, branch: 'other' } });
    expect(await PERFORM_QUEUE.admitCandidate(scene.toolbox(), scene.call(), { run: 'q1', asked })).toMatchObject({ kind: 'refused' });
  });

  test('what was submitted first under a name stays', async () => {
    const scene = new Scene();
    const asked = await scene.submit('a', { 'a.txt': 'x\n' });
    const first = await PERFORM_QUEUE.admitCandidate(scene.toolbox(), scene.call(), { run: 'q1', asked });
    await scene.submit('a', { 'a.txt': 'y\n' }, { priority: 1 });
    expect(await PERFORM_QUEUE.admitCandidate(scene.toolbox(), scene.call(), { run: 'q1', asked })).toEqual(first);
  });
});
