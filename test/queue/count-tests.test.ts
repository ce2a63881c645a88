import { countTests } from '../../activities/queue/count-tests';
import type { TestFormat } from '../../plan/queue/queue-settings';

test.each<[TestFormat, string, number | undefined]>([
  ['tap', 'TAP version 13\nok 1 - a\nnot ok 2 - b\n    ok 1 - a subtest\n    ok 2 - another\nok 3 - c\n1..3\n', 4],
  ['tap', 'ok 1 - a\nok 2 - b # SKIP later\n1..2\n', 1],
  ['tap', '1..0 # no tests\n', 0],
  ['tap', 'okay then\n', undefined],
  ['junit', '<testsuites tests="12" skipped="2"><testsuite tests="12"/></testsuites>', 10],
  ['junit', '<testsuites><testsuite name="a" tests="3" skipped="1"/><testsuite tests="4"/></testsuites>', 6],
  ['junit', 'no tests', undefined],
  ['json', 'noise\n{"numPassedTests": 7, "numTotalTests": 9}\n', 7],
  ['json', '{\n  "tests": 4\n}', 4],
  ['json', '{"tests": "4"}', undefined],
  ['line', 'Tests: 4\nmore\ntests: 120 passed\n', 120],
  ['line', 'ran 3 tests', undefined],
])('%s: %j has %p', (format, stdout, count) => {
  expect(countTests(format, stdout)).toBe(count);
});

test.each<[TestFormat, string]>([
  ['junit', '<testsuite '],
  ['junit', '<testsuites tests="1'],
  ['tap', '# '],
  ['line', '\n'],
  ['line', ' '],
  ['line', 'tests: 1'],
  ['json', '{"a":['],
])('%s: a million times %j is read at once', (format, text) => {
  countTests(format, text.repeat(1_000_000 / text.length));
});
