import type { RunView } from '../../plan/run/status';
import { newRepository, sh } from '../git/scene';
import { startDetached, untilStatus } from './support/runs';
import { Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/** A merge step on a real server, with real git, and a worker that is killed while the queue tests. */
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
  await scratch.keepServer();
}, SET_UP_MS);
afterAll(async () => scratch.close());

/** The first test run does not end; tests are red if somebody has left a marker. */
const TEST = (tests: string): string =>
  [`echo t >> '${tests}'`, `if [ $(wc -l < '${tests}') = 1 ]; then sleep 600; fi`, "! grep -rl '<<<<<<<' *.txt"].join('\n');

const ticketsIn = ({ steps }: RunView): number => (steps.some(({ waitingFor = '' }) => waitingFor.includes('and 1 more')) ? 2 : 0);

test('both branches land, the one that conflicts after it has worked on; the worker is killed in mid-test; nothing is left', async () => {
  const repository = newRepository({ 'a.txt': 'a\n', 'test.sh': TEST(scratch.path('tests')) }, scratch.path('lib'));
  scratch.write('thermidor.yaml', 'queues:\n  lib: {repo: lib, branch: main, test: sh test.sh}\n');
  const author = (id: string): string =>
    `      - {id: ${id}, run: "if grep -q '<<<<' a.txt; then echo both > a.txt; else echo ${id} > a.txt; fi; echo t > ${id}.txt", worktree: {repo: ${repository}}, retry: {max: 2}}`;
  scratch.write(
    'pipelines/land.yaml',
    `name: land
steps:
  - id: work
    type: parallel
    branches:
${author('one')}
${author('two')}
  - {id: land, type: merge, from: [one, two], into: main}
output: $land
`,
  );
  const env = { THERMIDOR_WORKTREES: scratch.path('trees') };
  const run = await startDetached(scratch, 'land');
  const first = scratch.thermidorWith(env, 'up');
  await first.until('a test is at work', () => scratch.lines('tests').length > 0);
  const { steps } = await untilStatus(scratch, run, 'both have a ticket', (view) => ticketsIn(view) === 2);
  expect(steps.find(({ id }) => id === 'land')?.waitingFor).toMatch(/^ticket \d of queue:.*lib#main and 1 more ticket$/);
  await first.kill();
  const second = scratch.thermidorWith(env, 'up');
  const { state } = await untilStatus(scratch, run, 'it has ended', (view) => view.state !== 'running' && view.state !== 'waiting');
  expect(state).toBe('completed');
  expect(sh(repository, 'show', 'main:a.txt')).toBe('both');
  expect(sh(repository, 'ls-tree', '--name-only', 'main').split('\n')).toEqual(['a.txt', 'one.txt', 'test.sh', 'two.txt']);
  expect(sh(repository, 'status', '--porcelain')).toBe('');
  await until('no worktree is left', () => sh(repository, 'worktree', 'list').split('\n').length === 1);
  expect(sh(repository, 'for-each-ref', '--format=%(refname)', 'refs/heads/')).toBe('refs/heads/main');
  await second.kill();
}, 120_000);
