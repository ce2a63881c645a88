import { ToolRefusal } from '../../activities/tool-ports';
import { readGlob } from '../../activities/tools/files/glob';

test.each<[string, string[], string[]]>([
  ['*.ts', ['a.ts', 'x/a.ts', 'x/y/.ts'], ['a.tsx', 'ts', 'a.ts/b']],
  ['src/*.ts', ['src/a.ts'], ['a.ts', 'x/src/a.ts', 'src/x/a.ts']],
  ['src/**/*.ts', ['src/a.ts', 'src/x/a.ts', 'src/x/y/a.ts'], ['a.ts', 'srcx/a.ts']],
  ['**/test/**', ['test/a', 'x/test/a/b'], ['test', 'x/tests/a']],
  ['**', ['a', 'a/b'], []],
  ['a/**', ['a/b', 'a/b/c'], ['a', 'ab/c']],
  ['./a', ['a'], ['b/a/a']],
  ['a?c', ['abc', 'x/aéc'], ['ac', 'a/c']],
  ['[a-c]x', ['ax', 'cx'], ['-x', 'dx', 'x']],
  ['[!a-c]x', ['dx', '-x'], ['ax']],
  ['[a-]x', ['ax', '-x'], ['bx']],
  ['[]]', [']'], ['[]']],
  ['*.{ts,js}', ['a.ts', 'a.js'], ['a.tsx', 'a.']],
  ['{a,b/{c,d}}', ['a', 'b/c', 'b/d'], ['b', 'c']],
  ['a**b', ['ab', 'axxb'], ['a/b']],
  ['[', ['['], ['a']],
  ['{a', ['{a'], ['a']],
  ['a.b', ['a.b'], ['axb']],
])('%s', (pattern, fits, others) => {
  const glob = readGlob(pattern);
  expect(fits.filter((path) => !glob(path))).toEqual([]);
  expect(others.filter(glob)).toEqual([]);
});

test('a pattern that can be read in very many ways is read as fast as any', () => {
  expect(readGlob(`${'*a'.repeat(100)}b`)('a'.repeat(250))).toBe(false);
  expect(readGlob(`${'**/*a*/'.repeat(40)}b`)(`${'aaaa/'.repeat(200)}c`)).toBe(false);
});

test.each(['x'.repeat(401), '{a,b}'.repeat(7), `${'{a,b}'.repeat(6)}${'*a'.repeat(150)}`])('%s is refused', (pattern) => {
  expect(() => readGlob(pattern)).toThrow(ToolRefusal);
});
