import { isGitFolder, namesWithin } from '../../activities/adapters/work-folder/path-within';
import { ToolRefusal } from '../../activities/tool-ports';

const within = (path: string) => namesWithin(['/work/step', '/real/step'], path);

test.each<[string, string[]]>([
  ['a/b.txt', ['a', 'b.txt']],
  ['./a//b/', ['a', 'b']],
  ['a/../b', ['b']],
  ['.', []],
  ['', []],
  ['/work/step', []],
  ['/work/step/', []],
  ['/work/step/a', ['a']],
  ['/real/step/a/../b', ['b']],
  ['..a/...', ['..a', '...']],
  ['~/a', ['~', 'a']],
  ['%2e%2e/a', ['%2e%2e', 'a']],
  ['a\nb', ['a\nb']],
  ['.gitignore', ['.gitignore']],
  ['.github/x', ['.github', 'x']],
  ['dist.git', ['dist.git']],
])('%j stays within', (path, names) => {
  expect(within(path)).toEqual(names);
});

test.each([
  ...['..', '../x', 'a/../../x', 'a/../..', './../step/x', '/etc/passwd', '/', '//etc', '/work/stepother/x', '/work/step/../x', '/work'],
  ...['a\0b', '..\\x', 'a\\..\\..\\x', 'C:\\x', 'c:/x', 'C:x', '\\\\host\\share', 'x'.repeat(256), 'é'.repeat(128), 'x/'.repeat(2500)],
  ...[
    '.git',
    '.git/config',
    'a/.git/hooks/pre-commit',
    '.GIT/x',
    '.Git',
    'a/../.git',
    '.git.',
    '.git ',
    'git~1/x',
    '.g\u200cit/x',
    '.git::$DATA',
  ],
])('%j is refused', (path) => {
  expect(() => within(path)).toThrow(ToolRefusal);
});

test('git is known by its names alone', () => {
  expect(['git', '.gitmodules', 'x.git', 'git~', '.gi'].filter(isGitFolder)).toEqual([]);
});
