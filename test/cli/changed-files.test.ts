import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { scratchFolder, writeFiles } from '../support/scratch-folder';

/** The command of the template fan-out-review that lists changed files, on real repositories. */
const TEMPLATE = resolve(__dirname, '../../examples/templates/fan-out-review/pipelines');
let cwd = '';
beforeEach(() => {
  cwd = scratchFolder();
});

const env = { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', GIT_CEILING_DIRECTORIES: tmpdir() };
const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd, env });
const write = (path: string, text: string) => writeFiles({ [path]: text }, cwd);
function changed(base: string, patch = '') {
  const { status, stdout, stderr } = spawnSync('node', [join(TEMPLATE, 'commands/changed-files.mjs'), base, patch], {
    cwd,
    env,
    encoding: 'utf8',
  });
  const files = status === 0 ? (JSON.parse(stdout) as { path: string; diff: string }[]) : [];
  return { status, stderr, files, paths: files.map(({ path }) => path) };
}

function repository(): void {
  git('init', '-q', '-b', 'main');
  write('kept.txt', 'one\n');
  write('gone.txt', 'one\n');
  git('add', '-A');
  git('commit', '-qm', 'first');
  git('checkout', '-qb', 'work');
}

test('lists what the branch and the working tree have changed, whatever the files are called', () => {
  repository();
  for (const path of ['a b.txt', 'größe.ts', 'quo"te.ts', 'dir/new.ts']) write(path, 'text\n');
  git('add', '-A');
  git('commit', '-qm', 'second');
  write('kept.txt', 'two\n');
  expect(changed('main').paths.sort()).toEqual(['a b.txt', 'dir/new.ts', 'größe.ts', 'kept.txt', 'quo"te.ts']);
  expect(changed('main').files.find(({ path }) => path === 'kept.txt')?.diff).toContain('-one\n+two\n');
});

test('leaves out what nobody reviews: deleted and binary files, locks, what is built', () => {
  repository();
  rmSync(join(cwd, 'gone.txt'));
  write('package-lock.json', '{}\n');
  write('dist/out.js', 'x\n');
  write('image.bin', '\0\u0001\0');
  write('looks.ts', 'diff --git a/x b/x\n');
  git('add', '-A');
  expect(changed('main').paths).toEqual(['looks.ts']);
});

test('cuts a long diff and says so', () => {
  repository();
  write('long.ts', 'x'.repeat(200_000));
  git('add', '-A');
  const [long] = changed('main').files;
  expect(long?.diff.length).toBeLessThan(41_000);
  expect(long?.diff).toMatch(/\[cut: \d+ more characters\]$/);
});

test('fails, and says why, without a checkout, without the base, and with too many files', () => {
  expect(changed('main')).toMatchObject({ status: 1, stderr: expect.stringContaining('is this a git checkout') });
  repository();
  expect(changed('--output=x')).toMatchObject({ status: 1 });
  expect(changed('nowhere')).toMatchObject({ status: 1, stderr: expect.stringContaining('"nowhere"') });
  for (let n = 0; n < 51; n++) write(`f${n}.ts`, 'x\n');
  git('add', '-A');
  expect(changed('main')).toMatchObject({ status: 1, stderr: expect.stringContaining('51 files have changed') });
});

test('reads a patch in place of git, and fails if there is none', () => {
  expect(changed('main', join(TEMPLATE, 'commands/example.patch')).paths).toEqual(['src/session.ts', 'src/retry.ts']);
  expect(changed('main', 'none.patch')).toMatchObject({ status: 1, stderr: expect.stringContaining('none.patch') });
});
