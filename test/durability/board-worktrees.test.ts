import type { JournalEntry } from '../../plan/run/journal';
import { newRepository, sh } from '../git/scene';
import { inSweep } from '../support/sweep';
import { journal, startDetached, untilStatus } from './support/runs';
import { Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/** A board on a real server, with real git: tasks in worktrees, a merge queue, and a worker that is killed while both are at it. */
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
  await scratch.keepServer();
}, SET_UP_MS);
afterAll(async () => scratch.close());

const shell = (line: string): object => ({ tool: 'run', args: { argv: ['sh', '-c', line] } });
const complete = (id: number): object => ({ tool: 'complete_task', args: { task_id: id, result: `Result ${id}.` } });
/** Says that it has begun, and goes on when it may. */
const waits = (name: string): string =>
  `echo ${name} >> '${scratch.path('begun')}'; while [ ! -e '${scratch.path(`go-${name}`)}' ]; do sleep 0.02; done`;

/** A pipeline of one board, and its script. JSON is YAML. */
function writeTeam(repository: string): void {
  const agents = { worker: { role: 'You work.', tools: ['run'] } };
  const step = {
    ...{ id: 'team', type: 'board', idle_timeout: '1s', worktree: { repo: repository }, merge: { into: 'main', test: 'sh check.sh' } },
    members: ['alice', 'bob'].map((name) => ({ name, agent: 'worker' })),
    tasks: [
      { name: 'one', subject: 'One' },
      { name: 'two', subject: 'Two' },
      { name: 'both', subject: 'Both', blocked_by: ['one', 'two'], worktree: 'of.both' },
    ],
  };
  const replies = [
    { prompt: ['Task #1:'], calls: [shell(`echo one > one.txt; ${waits('one')}`), complete(1)], text: 'One.' },
    { prompt: ['Task #2:', 'came back'], calls: [shell('echo two > two.txt'), complete(2)], text: 'Two is mended.' },
    { prompt: ['Task #2:'], calls: [shell(`echo bad > two.txt; ${waits('two')}`), complete(2)], text: 'Two.' },
    { prompt: ['Task #3:'], calls: [shell('cat one.txt two.txt > both.txt'), complete(3)], text: 'Both.' },
    { text: 'Nothing.' },
  ];
  scratch.write('pipelines/crew.yaml', JSON.stringify({ name: 'crew', agents, steps: [step], output: 'team' }));
  scratch.write('pipelines/scripts/crew.yaml', JSON.stringify({ replies: { team_worker: replies } }));
}

/** The first test of a merged tree waits; a tree with `bad` in it is red. */
const CHECK = (tests: string, go: string): string =>
  [`echo t >> '${tests}'`, `while [ ! -e '${go}' ]; do sleep 0.02; done`, '! grep -l bad *.txt'].join('\n');

inSweep.test(
  'its worker is killed at work and while the queue tests: all land once, one after it came back, and main is green at every commit',
  async () => {
    const check = CHECK(scratch.path('tests'), scratch.path('go-test'));
    const repository = newRepository({ 'a.txt': 'a\n', 'check.sh': check }, scratch.path('lib'));
    writeTeam(repository);
    const env = { THERMIDOR_WORKTREES: scratch.path('trees') };
    const run = await startDetached(scratch, 'crew', '--script', 'crew');

    const first = scratch.thermidorWith(env, 'up');
    await first.until('both members are in the middle of their work', () => new Set(scratch.lines('begun')).size === 2);
    const listed = await scratch.askWith(env, 'worktree', 'list', '--json');
    expect(JSON.parse(listed.out)).toMatchObject({
      worktrees: expect.arrayContaining([expect.objectContaining({ step: 'team[1]', label: 'one' })]),
    });
    await first.kill();
    for (const name of ['one', 'two']) scratch.write(`go-${name}`, '');

    const second = scratch.thermidorWith(env, 'up');
    await second.until('a merged tree is tested', () => scratch.lines('tests').length > 0);
    await second.kill();
    scratch.write('go-test', '');

    const third = scratch.thermidorWith(env, 'up');
    const { state } = await untilStatus(scratch, run, 'it has ended', (view) => view.state !== 'running' && view.state !== 'waiting');
    expect(state).toBe('completed');

    expect(sh(repository, 'show', 'main:both.txt')).toBe('one\ntwo');
    expect(sh(repository, 'for-each-ref', '--format=%(refname)', 'refs/heads/')).toBe('refs/heads/main');
    expect(sh(repository, 'status', '--porcelain')).toBe('');
    const commits = sh(repository, 'rev-list', '--first-parent', 'main').split('\n');
    expect(commits.length).toBeGreaterThanOrEqual(4);
    const files = commits.filter((commit) => sh(repository, 'ls-tree', '--name-only', commit).includes('two.txt'));
    expect(new Set(files.map((commit) => sh(repository, 'show', `${commit}:two.txt`)))).toEqual(new Set(['two']));

    const entries = await journal(scratch, run);
    const ofTasks = (event: string) =>
      entries.flatMap((entry) => (isBoard(entry) && entry.event === event && 'task' in entry ? [entry.task] : []));
    expect(ofTasks('completed').sort()).toEqual([1, 2, 3]);
    expect(ofTasks('landed').sort()).toEqual([1, 2, 3]);
    expect(ofTasks('returned')).toEqual([2]);
    expect(ofTasks('claimed').sort()).toEqual([1, 2, 3]);
    const removed = entries.flatMap((entry) => (entry.kind === 'worktree' && entry.event === 'removed' ? [entry.step] : []));
    expect(removed.sort()).toEqual(['team[1]', 'team[2]', 'team[3]']);
    await until('no worktree is left', async () => {
      const left = await scratch.askWith(env, 'worktree', 'list', '--json');
      return (JSON.parse(left.out) as { worktrees: unknown[] }).worktrees.length === 0;
    });
    await third.kill();
  },
  240_000,
);

function isBoard(entry: JournalEntry): entry is Extract<JournalEntry, { kind: 'board' }> {
  return entry.kind === 'board';
}
