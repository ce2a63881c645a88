import { execFileSync } from 'node:child_process';
import { inSweep } from '../support/sweep';
import { journal, runOf, step, untilStatus } from './support/runs';
import { Scratch, SET_UP_MS } from './support/scratch';

/**
 * kill -9 of the process that delivers a plan: while it makes a commit that is to be taken back, and during the search for what breaks the
 * whole.
 */
inSweep.describe('a delivery whose worker is killed', () => {
  let scratch: Scratch;
  beforeAll(async () => {
    scratch = await Scratch.make();
    await scratch.keepServer();
  }, SET_UP_MS);
  afterAll(() => scratch.close());

  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', scratch.path('repo'), '-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], {
      encoding: 'utf8',
    }).trim();
  /** Reports that it runs, and sleeps the first time. */
  const once = (file: string): string =>
    `echo x >> '${scratch.path(file)}'; if [ $(wc -l < '${scratch.path(file)}') = 1 ]; then sleep 600; fi`;
  const writes = (turn: number, path: string, content: string): string =>
    `{iteration: ${turn}, calls: [{tool: write_file, args: {path: ${path}, content: "${content}"}}], json: {summary: done}}`;

  it('CP-6 · worker killed · a kill between commit and rollback, and one amid the search for what breaks the whole, leave the same result', async () => {
    scratch.write('repo/base.txt', 'sound\n');
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('commit', '-q', '-m', 'first');
    scratch.write('pipelines/agents/coder.yaml', 'role: Writes.\ntools: [write_file]\n');
    scratch.write(
      'pipelines/ship.yaml',
      `name: ship
owner: coder
cwd: repo
steps:
  - id: deliver
    type: increments
    plan: [{id: a}, {id: b, depends_on: [a]}, {id: c, depends_on: [b]}]
    executor: coder
    gates:
      no_regression: |
        if grep -q broken base.txt; then ${once('in-gate')}; fi
        grep -qx sound base.txt
    final: |
      if [ -e late.txt ]; then ${once('in-final')}; exit 1; fi
output: deliver
`,
    );
    const replies = [
      writes(1, 'one.txt', 'one'),
      writes(2, 'base.txt', 'broken'),
      writes(3, 'two.txt', 'two'),
      writes(4, 'late.txt', 'late'),
    ];
    scratch.write('pipelines/scripts/s.yaml', `replies:\n  deliver_executor:\n${replies.map((reply) => `    - ${reply}\n`).join('')}`);
    const first = scratch.thermidor('run', 'ship', '--script', 's');
    const run = await runOf(first);
    await first.until('the gate looks at what is to be taken back', () => scratch.lines('in-gate').length === 1);
    await first.kill();
    const second = scratch.thermidor('watch', run);
    await second.until('the whole is validated', () => scratch.lines('in-final').length === 1);
    await second.kill();
    const third = scratch.follow('watch', run);
    // A person decides about a partial delivery.
    await untilStatus(scratch, run, 'a person is asked', ({ gates }) => gates.some((gate) => gate.step === 'deliver'));
    const decided = scratch.follow('approve', run, '--by', 'ann', '--comment', 'without the third');
    expect(await decided.finished).toMatchObject({ code: 0 });
    expect(await third.finished).toMatchObject({ code: 0 });

    const view = await untilStatus(scratch, run, 'it ended', ({ state }) => state === 'completed');
    expect(step(view, 'deliver').delivery).toMatchObject({
      ...{ completed: 2, total_increments: 3 },
      gate_history: [
        { id: 'INCREMENT-1', attempts: 1, status: 'PASS' },
        { id: 'INCREMENT-2', attempts: 2, status: 'PASS' },
        { id: 'INCREMENT-3', attempts: 1, status: 'REVERTED' },
      ],
    });
    const ref = git('for-each-ref', '--format=%(refname)', 'refs/thermidor/');
    expect(git('ls-tree', '--name-only', ref).split('\n')).toEqual(['base.txt', 'one.txt', 'two.txt']);
    expect(git('show', `${ref}:base.txt`)).toBe('sound');
    expect(git('log', '--format=%s', ref).split('\n')).toEqual(['deliver[3]/deliver_executor', 'deliver[1]/deliver_executor', 'first']);
    const entries = await journal(scratch, run);
    const begun = entries.flatMap((entry) =>
      entry.kind === 'step' && entry.state === 'running' && /executor$/.test(entry.step) ? [entry.step] : [],
    );
    expect(begun).toEqual([1, 2, 3, 4].map((turn) => `deliver[${turn}]/deliver_executor`));
    expect(entries.flatMap((entry) => (entry.kind === 'worktree' ? [entry.event] : []))).toEqual(['made', 'restored', 'restored']);
  });
});
