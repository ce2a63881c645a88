import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { inSweep } from '../support/sweep';
import type { Program } from './support/program';
import { journal, runOf, startDetached, status, step } from './support/runs';
import { Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/**
 * Steps in worktrees, on real hosts: workers with folders of worktrees of their own, which share a state folder and a repository, and die.
 */
let scratch: Scratch;
let address: string;

beforeAll(async () => {
  scratch = await Scratch.make();
  address = await scratch.keepServer();
  scratch.write('thermidor.yaml', 'worktrees: {silent_seconds: 3}\n');
}, SET_UP_MS);
afterAll(() => scratch.close());

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', ['-C', scratch.path(folder), '-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], {
    encoding: 'utf8',
  }).trim();
}

/** A bare repository with one commit. */
function origin(name: string): string {
  scratch.write(`${name}-first/a.txt`, 'a\n');
  git(`${name}-first`, 'init', '-q', '-b', 'main');
  git(`${name}-first`, 'add', '-A');
  git(`${name}-first`, 'commit', '-q', '-m', 'first');
  execFileSync('git', ['clone', '-q', '--bare', scratch.path(`${name}-first`), scratch.path(name)]);
  return `file://${scratch.path(name)}`;
}

const waitFor = (file: string): string => `while [ ! -e '${scratch.path(file)}' ]; do sleep 0.05; done`;
const trees = (name: string): string => scratch.path(`trees-${name}`);

/**
 * A worker that believes it is on a machine of its own, and does steps only. It asks for one at a time: a call that is given to a process
 * that was stopped has to run into its timeout first.
 */
function host(name: string, queue: string): Program {
  const env = { HOME: scratch.path(`home-${name}`), THERMIDOR_WORKTREES: trees(name) };
  return scratch.thermidorWith(env, 'worker', '--queues', 'work', '--agents', '1', ...on(queue));
}

const on = (queue: string): string[] => ['--address', address, '--task-queue', queue];

/** The worktrees that are left on a host. */
function leftOn(name: string): string[] {
  return ['trees', 'records'].flatMap((folder) => {
    const path = `${trees(name)}/${folder}`;
    return existsSync(path) ? readdirSync(path) : [];
  });
}

test('a worker that is killed in mid-step and comes back goes on in the same worktree, from what was saved last', async () => {
  origin('local');
  scratch.write(
    'pipelines/again.yaml',
    `name: again
cwd: local-first
steps:
  - {id: one, worktree: {setup: [echo s >> setup.txt]}, run: pwd >> '${scratch.path('folders')}'; echo one > one.txt}
  - id: two
    worktree: one
    run: |
      pwd >> '${scratch.path('folders')}'; cat half.txt 2>/dev/null; echo half > half.txt; git add half.txt; echo in >> '${scratch.path('tries')}'
      if [ $(wc -l < '${scratch.path('tries')}') = 1 ]; then sleep 600; fi; ls
`,
  );
  const first = scratch.thermidorWith({ THERMIDOR_WORKTREES: trees('local') }, 'run', 'again');
  const run = await runOf(first);
  await first.until('the second step is at work', () => scratch.lines('tries').length === 1);
  await first.kill();
  const second = scratch.thermidorWith({ THERMIDOR_WORKTREES: trees('local') }, 'watch', run);
  await second.endsWith(0);
  const folders = scratch.lines('folders');
  expect(folders).toHaveLength(3);
  expect(new Set(folders).size).toBe(1);
  expect(folders[0]).toMatch(trees('local'));
  const ref = git('local-first', 'for-each-ref', '--format=%(refname)', 'refs/thermidor/');
  expect(ref).toMatch(/\/one\/1$/);
  expect(git('local-first', 'ls-tree', '--name-only', ref).split('\n')).toEqual(['a.txt', 'half.txt', 'one.txt', 'setup.txt']);
  expect(git('local-first', 'log', '--format=%s', ref).split('\n')).toEqual(['two', 'one', 'setup of one', 'first']);
  expect(git('local-first', 'status', '--porcelain')).toBe('');
  expect(git('local-first', 'worktree', 'list').split('\n')).toHaveLength(1);
  expect(leftOn('local')).toEqual([]);
});

inSweep.describe('if the host of a worktree dies in the middle of a step', () => {
  /** A run whose second step is at work on the first host, with a commit and a change that nobody has pushed; then another host starts. */
  async function atWork(name: string): Promise<{ run: string; queue: string; first: Program; second: Program }> {
    const [url, queue] = [origin(name), `q-${name}`];
    const at = `pwd >> '${scratch.path(`${name}-folders`)}'`;
    scratch.write(
      `pipelines/${name}.yaml`,
      `name: ${name}
steps:
  - {id: one, queue: work, worktree: {repo: "${url}"}, run: "${at}; echo one > one.txt"}
  - {id: two, worktree: one, run: "${at}; echo two >> two.txt; ${waitFor(`${name}-go`)}; cat one.txt two.txt"}
  - {id: three, worktree: one, run: "ls"}
`,
    );
    scratch.thermidor('worker', '--queues', 'default', ...on(queue));
    const first = host(`${name}-a`, queue);
    const run = await startDetached(scratch, name, ...on(queue));
    await first.until('the second step is at work', () => scratch.lines(`${name}-folders`).length === 2);
    return { run, queue, first, second: host(`${name}-b`, queue) };
  }

  async function onSecond(name: string, run: string, queue: string): Promise<string> {
    await until('the second step is at work on the other host', () => scratch.lines(`${name}-folders`).length === 3);
    const folders = scratch.lines(`${name}-folders`);
    expect(folders.map((folder) => folder.startsWith(trees(`${name}-b`)))).toEqual([false, false, true]);
    scratch.write(`${name}-go`, '');
    await until('the run is done', async () => {
      const { state } = await scratch.json<{ state: string }>('status', run, ...on(queue));
      return state === 'completed';
    });
    return git(name, 'for-each-ref', '--format=%(refname) %(objectname)', 'refs/thermidor/');
  }

  test('another one goes on from the last pushed commit', async () => {
    const { run, queue, first } = await atWork('lost');
    await first.kill();
    const refs = await onSecond('lost', run, queue);
    expect(refs.match(/one\/\d/g)).toEqual(['one/1', 'one/2']);
    const last = refs.split('\n').at(-1)?.split(' ')[1] ?? '';
    expect(git('lost', 'show', `${last}:two.txt`)).toBe('two');
    expect(git('lost', 'log', '--format=%s', last).split('\n')).toEqual(['two', 'one', 'first']);
    const moves = (await journal(scratch, run)).flatMap((entry) => (entry.kind === 'worktree' ? [entry.event] : []));
    expect(moves).toEqual(['made', 'moved']);
    expect(leftOn('lost-b')).toEqual([]);
  });

  inSweep.test('one that was only stopped, and continues later, moves nothing', async () => {
    const { run, queue, first } = await atWork('zombie');
    first.signal('SIGSTOP');
    const refs = await onSecond('zombie', run, queue);
    const output = step(await status(scratch, run), 'two');
    first.signal('SIGCONT');
    // Its command ends now, and the worker would save what the command has left.
    await first.until('it has found that the worktree is not its own', () => first.err.includes('another host has taken over'));
    expect(git('zombie', 'for-each-ref', '--format=%(refname) %(objectname)', 'refs/thermidor/')).toBe(refs);
    expect(step(await status(scratch, run), 'two')).toEqual(output);
  });
});
