import { execFileSync } from 'node:child_process';
import type { QueueView } from '../../plan/queue/queue-view';
import { answerOf } from './support/runs';
import { readJson, Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/** `thermidor queue …` on a real server. */
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
  await scratch.keepServer();
  scratch.write('lib/a.txt', 'a\n');
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  git('branch', 'a');
}, SET_UP_MS);
afterAll(() => scratch.close());

function git(...args: string[]): string {
  return execFileSync('git', ['-C', scratch.path('lib'), '-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], {
    encoding: 'utf8',
  }).trim();
}

const queue = (...words: string[]) => scratch.askWith({ THERMIDOR_WORKTREES: scratch.path('trees') }, 'queue', ...words);

async function view(): Promise<QueueView> {
  const { queues } = await scratch.json<{ queues: QueueView[] }>('queue', 'lib', 'main');
  if (!queues[0]) throw new Error('there is no queue');
  return queues[0];
}

/** Asks until the queue is in the expected state. A queue whose worker is late does not answer; it is asked again. */
function untilQueue(what: string, fits: (view: QueueView) => boolean): Promise<true> {
  return until(
    what,
    async () => {
      const queue = (await answerOf<{ queues: QueueView[] }>(scratch, 'queue', 'lib', 'main'))?.queues[0];
      return queue !== undefined && fits(queue);
    },
    60_000,
  );
}

/** The exit code of a command that is refused, and the code of its failure. */
async function refusal(...words: string[]): Promise<[number | null, string]> {
  const finished = await queue(...words, '--json');
  return [finished.code, readJson<{ error: { code: string } }>(finished).error.code];
}

test('without a queue there is nothing to show, and nothing to order', async () => {
  expect(await scratch.json('queue')).toEqual({ queues: [] });
  expect(await queue('lib', 'main')).toMatchObject({ code: 0, out: '', err: expect.stringContaining('queue submit') });
  expect(await refusal('pause', 'lib', 'main')).toEqual([1, 'queue.not-found']);
});

test.each([
  ['a repository that is none', ['submit', 'home', 'main', 'a'], [1, 'repository.unusable']],
  ['a commit that is not there', ['submit', 'lib', 'main', 'gone'], [1, 'repository.unusable']],
  ['a remote that is not there', ['submit', 'lib', 'main', 'a', '--remote', 'origin'], [2, 'queue.no-remote']],
  ['a branch as the commit of a URL', ['submit', 'https://git.example.org/lib.git', 'main', 'a'], [2, 'usage']],
  ['a priority that is none', ['submit', 'lib', 'main', 'a', '--priority', '6'], [2, 'usage']],
  ['a ticket that is no number', ['drop', 'lib', 'main', 'a'], [2, 'usage']],
  ['a repository without a branch', ['lib'], [2, 'usage']],
])('%s is refused, and no queue begins', async (_, words, expected) => {
  expect(await refusal(...words)).toEqual(expected);
  expect(await scratch.json('queue')).toEqual({ queues: [] });
});

test('a ticket is submitted, waits while the queue is paused, and is dropped; done ones are not dropped again', async () => {
  expect(await queue('submit', 'lib', 'gone', 'a')).toMatchObject({ code: 0 });
  const first = readJson<{ ticket: number; candidate: string }>(await queue('submit', 'lib', 'main', 'a', '--by', 'ann', '--json'));
  expect(first).toMatchObject({ ticket: 1, candidate: git('rev-parse', 'a') });
  expect(await queue('pause', 'lib', 'main', '--reason', 'a release', '--by', 'ann')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^paused queue:/),
  });
  scratch.followWith({ THERMIDOR_WORKTREES: scratch.path('trees') }, 'up');
  await untilQueue('it is read', ({ waiting }) => waiting[0]?.author === 'ann');
  expect(await view()).toMatchObject({ paused: { by: 'ann', reason: 'a release' }, line: [], waiting: [{ ticket: 1, title: 'a' }] });
  expect(await refusal('drop', 'lib', 'main', '7')).toEqual([1, 'queue.refused']);
  expect(await queue('drop', 'lib', 'main', '1', '--by', 'ann')).toMatchObject({ code: 0 });
  expect(await refusal('drop', 'lib', 'main', '1')).toEqual([1, 'queue.refused']);
  expect(await queue('resume', 'lib', 'main')).toMatchObject({ code: 0 });
  await queue('submit', 'lib', 'main', 'a');
  await untilQueue('both have ended', ({ done }) => done.length === 2);
  expect(await view()).toMatchObject({
    done: [{ outcome: { kind: 'merged', already: true } }, { outcome: { kind: 'dropped', by: 'ann' } }],
  });
  // The queue of a branch that does not exist, begun above.
  const gone = readJson<{ queues: QueueView[] }>(await queue('lib', 'gone', '--json')).queues[0];
  expect(gone?.done).toMatchObject([
    { outcome: { kind: 'failed', code: 'repository.unusable', message: expect.stringContaining('no branch "gone"') } },
  ]);
  expect((await scratch.json<{ queues: unknown[] }>('queue')).queues).toHaveLength(2);
}, 120_000);

test('what the plain Temporal CLI says is refused if it is rubbish, and changes nothing', async () => {
  const { address } = await scratch.server();
  const id = `queue:${scratch.path('lib')}#main`;
  const before = await view();
  const update = (name: string, input: string) =>
    scratch.temporal('workflow', 'update', 'execute', '--address', address, '-w', id, '--name', name, '--input', input);
  const huge = JSON.stringify({ workflowId: 'w', run: 'r', name: 'x'.repeat(100_000) });
  for (const [name, input] of [
    ['submit', 'null'],
    ['submit', '{"workflowId": 1, "run": {}, "name": []}'],
    ['submit', '{"workflowId": "w", "run": "r", "name": ""}'],
    ['submit', huge],
    ['drop', '{}'],
    ['drop', '{"ticket": 1.5}'],
    ['merge', '{}'],
  ] as const) {
    expect([name, (await update(name, input)).code]).toEqual([name, 1]);
  }
  expect(await view()).toEqual(before);
  // A forged name finds no submission.
  expect(await update('submit', '{"workflowId": "w", "run": "r", "name": "forged"}')).toMatchObject({ code: 0 });
  await untilQueue('it is refused', ({ done }) => done[0]?.outcome.kind === 'refused');
  await scratch.temporal('workflow', 'signal', '--address', address, '-w', id, '--name', 'thermidor:queue', '--input', '"rubbish"');
  await scratch.temporal('workflow', 'cancel', '--address', address, '-w', id);
  expect((await view()).done).toHaveLength(3);
}, 120_000);

test('a queue that somebody terminates begins again with the next ticket, paused as it was', async () => {
  const { address } = await scratch.server();
  expect(await queue('pause', 'lib', 'main', '--by', 'ann', '--reason', 'a release')).toMatchObject({ code: 0 });
  await scratch.temporal('workflow', 'terminate', '--address', address, '-w', `queue:${scratch.path('lib')}#main`);
  git('checkout', '-q', '-b', 'b');
  scratch.write('lib/b.txt', 'b\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'b');
  git('checkout', '-q', 'main');
  expect(readJson(await queue('submit', 'lib', 'main', 'b', '--json'))).toMatchObject({ ticket: 1 });
  await untilQueue('it is paused as before', ({ paused }) => paused !== undefined);
  expect(await view()).toMatchObject({ paused: { by: 'ann', reason: 'a release' }, line: [], waiting: [{ ticket: 1 }] });
  await queue('resume', 'lib', 'main');
  await untilQueue('it has landed', ({ done }) => done[0]?.outcome.kind === 'merged');
  expect(git('log', '-1', '--format=%s')).toBe('Merge b');
}, 120_000);
