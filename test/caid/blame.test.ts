import { unitsNamed } from '../../kinds/caid/rules/blame';

const UNITS = [
  { id: 'a', files: ['src/a.js', './src/deep/a2.js'], acceptance: { command: 'node --test test/a.test.js' } },
  { id: 'b', files: ['src/b.js'], acceptance: { test: 'test/b.test.js, and all of test/both.test.js' } },
  { id: 'c', files: ['a.js'], acceptance: { test: 'test/both.test.js' } },
];

test.each<[string, string, string[]]>([
  ['a stack of Node', '    at parse (/w/trees/x1/src/a.js:3:1)', ['a']],
  ['a URL of a file', '  at file:///w/trees/x1/src/deep/a2.js:3:1', ['a']],
  ['a compiler', 'src/b.js(3,1): error TS1005', ['b']],
  ['a test of the acceptance', 'not ok 4 - /w/trees/x1/test/a.test.js', ['a']],
  ['a test that two have to pass', 'FAIL test/both.test.js', ['b', 'c']],
  ['several', 'src/b.js:1 wrong\nsrc/a.js:1 wrong', ['a', 'b']],
  ['a file of the root, which others have in folders', './a.js:3', ['c']],
  ['CRLF', 'src/b.js:1 wrong\r\n', ['b']],
  ['files that nobody owns', 'lib/z.js:1 wrong', []],
  ['a name that only ends like one', 'src/aa.js xsrc/b.js', []],
  ['tests that passed, in TAP', '# Subtest: test/a.test.js\nok 1 - test/a.test.js\n    ok 2 - src/b.js', []],
  ['tests that passed, of Jest and Mocha', 'PASS test/a.test.js\n  ✓ src/b.js', []],
  ['tests that passed, of pytest', 'src/b.js::test_it PASSED [ 50%]', []],
  ['nothing', '', []],
])('the output of %s names those that own the files', (_, output, expected) => {
  expect(unitsNamed(UNITS, output)).toEqual(expected);
});

test('a large output is read in a moment', () => {
  const output = `${'a/'.repeat(200_000)}\n${'src/a.js '.repeat(50_000)}`;
  const began = performance.now();
  expect(unitsNamed(UNITS, output)).toEqual(['a']);
  expect(performance.now() - began).toBeLessThan(2000);
});
