import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { blocksOf, ROOT, readPage } from '../docs/page';
import { inSweep } from '../support/sweep';
import { Scratch, SET_UP_MS } from './support/scratch';

/** kill -9 of the process that commits for a coding agent, when the branch has moved and nothing is recorded yet. */
let scratch: Scratch;
beforeAll(async () => {
  scratch = await Scratch.make();
  await scratch.keepServer();
}, SET_UP_MS);
afterAll(() => scratch.close());

const git = (...args: string[]): string => execFileSync('git', args, { cwd: scratch.folder, encoding: 'utf8' }).trim();

/** Runs when the branch has moved: the first time it waits to be killed. */
const HOOK = `#!/bin/sh
if [ "$1" = committed ] && [ ! -e .git/moved ]; then
  touch .git/moved
  while [ ! -e .git/go-on ]; do sleep 0.1; done
fi
`;

test('the change is committed once, and the checkout is clean', async () => {
  cpSync(resolve(__dirname, '../../examples/templates/coding-agent'), scratch.folder, { recursive: true });
  scratch.write('.gitignore', 'home/\n');
  git('init', '-q', '-b', 'main');
  for (const [key, value] of Object.entries({ name: 'Ann', email: 'ann@example.org' })) git('config', `user.${key}`, value);
  git('add', '-A');
  git('commit', '-qm', 'first');
  const first = git('rev-parse', 'HEAD');

  const asked = await scratch.ask('run', 'coding-agent', '--script', 'coding-agent', '--arg', 'task=Greet', '--id', 'c');
  expect(asked).toMatchObject({ code: 3 });
  writeFileSync(join(scratch.folder, '.git/hooks/reference-transaction'), HOOK, { mode: 0o755 });
  const approving = scratch.thermidor('approve', 'c', '--by', 'ann');
  await approving.until('the branch has moved', () => existsSync(scratch.path('.git/moved')));
  await approving.kill();
  writeFileSync(scratch.path('.git/go-on'), '');
  const moved = git('rev-parse', 'HEAD');
  expect(moved).not.toBe(first);

  expect(await scratch.ask('watch', 'c')).toMatchObject({ code: 0 });
  expect(git('rev-parse', 'HEAD')).toBe(moved);
  expect(git('log', '--format=%P %s', '-1')).toBe(`${first} Greet`);
  expect(git('status', '--porcelain')).toBe('');
});

inSweep.test('the page for one’s own repository, typed word for word into an empty folder', async () => {
  const page = readPage('docs/your-repository.md');
  const [typed = ''] = /^## Try it without an agent$[\s\S]*?(?=^## )/m.exec(page) ?? [];
  const lines = blocksOf(typed, 'sh');
  expect(lines.length).toBeGreaterThan(2);
  for (const folder of ['bin', 'project']) mkdirSync(scratch.path(folder));
  const thermidor = `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'dist/cli/main.js')}" "$@"\n`;
  writeFileSync(scratch.path('bin/thermidor'), thermidor, { mode: 0o755 });
  const path = [scratch.path('bin'), process.env['PATH']].join(delimiter);
  const { out } = await scratch.start('sh', ['-ec', `cd project\n${lines.join('\n')}`], { PATH: path }).endsWith(0);
  expect(out).toMatch(/HELLO\.md \| 3 \+\+\+[\s\S]*Committed [0-9a-f]+ to main\.[\s\S]*Say hello[\s\S]*HELLO\.md \| 3 \+\+\+/);
});
