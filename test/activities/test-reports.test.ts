import { readReport } from '../../activities/test-reports/read-report';
import { reportOf } from '../../activities/test-reports/tally';
import type { ReportFormat } from '../../plan/run/test-report';

const read = (format: ReportFormat, text: string) => {
  const found = readReport(format, text);
  return 'tally' in found ? { ...reportOf(found.tally, (text) => text), ...(found.broken ? { broken: true } : {}) } : undefined;
};
const counts = (passed: number, failed: number, skipped: number) => expect.objectContaining({ passed, failed, skipped });

describe('tap', () => {
  test('has names and messages of what failed', () => {
    const text = "TAP version 13\nok 1 - adds\nnot ok 2 - divides\n  ---\n  message: 'by zero'\n  ...\nok 3 - later # SKIP no disk\n1..3\n";
    expect(read('tap', text)).toEqual({
      ...{ passed: 1, failed: 1, skipped: 1, pass_rate: 0.5 },
      failures: [{ name: 'divides', message: "message: 'by zero'" }],
    });
  });

  test.each([
    ['of a suite the tests within count', '    ok 1 - a\n    not ok 2 - b\n    1..2\nnot ok 1 - suite\n1..1\n', counts(1, 1, 0)],
    [
      'of suites within suites the innermost do',
      '        ok 1 - a\n        ok 2 - b\n    ok 1 - in\n    ok 2 - c\nok 1 - out\n1..1\n',
      counts(3, 0, 0),
    ],
    ['a suite that fails by itself is one that failed', '    ok 1 - a\nnot ok 1 - teardown\n1..1\n', counts(1, 1, 0)],
    ['what is yet to be done may fail', 'not ok 1 - a # TODO soon\nok 2 - b # todo\n1..2\n', counts(1, 0, 1)],
    ['a planned test that did not run has failed', '1..5\nok 1\nok 2\n', counts(2, 3, 0)],
    ['a program that gives up has failed', '1..1\nok 1\nBail out! no database\n', counts(1, 1, 0)],
    ['several reports in one are one', '1..1\nok 1\n1..2\nok 1\nnot ok 2\n', counts(2, 1, 0)],
    ['a diagnosis has no tests', 'not ok 1 - a\n  ---\n    ok 7 - said the log\n  ...\n1..1\n', counts(0, 1, 0)],
    ['a run of no tests is a report', '1..0 # nothing to do\n', counts(0, 0, 0)],
    ['other words are no tests', 'okay then\nnot okay\nokidoki 1\n', undefined],
    ['nothing is no report', '', undefined],
  ])('%s', (_, text, expected) => expect(read('tap', text)).toEqual(expected));

  test('breaks off if its plan is missing', () => {
    expect(read('tap', 'TAP version 13\nok 1\nnot ok 2\n')).toMatchObject({ passed: 1, failed: 1, broken: true });
  });
});

describe('junit', () => {
  test('has names and messages of what failed', () => {
    const text = `<?xml version="1.0"?><!-- by a runner --><testsuites tests="9"><testsuite name="s" tests="9">
      <testcase classname="calc" name="adds"/>
      <testcase classname="calc" name="a &lt; b"><failure message="1 &gt; 2"><![CDATA[at <line> 3]]></failure></testcase>
      <testcase name="broke"><error message="boom"/><system-out>not this</system-out></testcase>
      <testcase name="later"><skipped/></testcase></testsuite></testsuites>`;
    expect(read('junit', text)).toEqual({
      ...{ passed: 1, failed: 2, skipped: 1, pass_rate: 1 / 3 },
      failures: [
        { name: 'calc › a < b', message: '1 > 2\nat <line> 3' },
        { name: 'broke', message: 'boom' },
      ],
    });
  });

  test.each([
    [
      'suites without tests say their numbers',
      '<testsuites tests="12" skipped="2" failures="1"><testsuite tests="12"/></testsuites>',
      counts(9, 1, 2),
    ],
    [
      'of suites beside each other the sum counts',
      '<testsuites><testsuite tests="3" errors="1"/><testsuite tests="4"/></testsuites>',
      counts(6, 1, 0),
    ],
    [
      'colours of a terminal lose nothing',
      '<testsuite><testcase name="a"><failure>\u001b[31mred&#27;[0m</failure></testcase></testsuite>',
      counts(0, 1, 0),
    ],
    ['a name that XML does not know stays', '<testsuite><testcase name="a &nbsp; b"/></testsuite>', counts(1, 0, 0)],
    [
      'a byte order mark and CRLF are none of it',
      '\uFEFF<?xml version="1.0"?>\r\n<testsuite>\r\n<testcase name="a"/>\r\n</testsuite>\r\n',
      counts(1, 0, 0),
    ],
    ['a document that ends too early is none', '<testsuite><testcase name="a"/>', undefined],
    ['tags that do not fit are none', '<testsuite><testcase name="a"></testsuite></testcase>', undefined],
    ['two documents are none', '<testsuite/><testsuite/>', undefined],
    ['a document type is not read', '<!DOCTYPE x [<!ENTITY a "b">]><testsuite><testcase name="&a;"/></testsuite>', undefined],
    ['another document is no report', '<html><testcase/></html>', undefined],
    ['text is no report', 'all tests passed', undefined],
  ])('%s', (_, text, expected) => expect(read('junit', text)).toEqual(expected));
});

test('what is wrong with the XML is said with its line and column', () => {
  expect(readReport('junit', '<testsuite>\n<testcase name="a"></testsuite>')).toEqual({
    problem: 'the XML is broken: 2:31: unexpected close tag.',
  });
});

describe('json', () => {
  test.each([
    [
      'of one’s own',
      'noise\n{"passed": 19, "failed": 1, "failures": ["divides"]}\n',
      { passed: 19, failed: 1, pass_rate: 0.95, failures: [{ name: 'divides' }] },
    ],
    [
      'of Jest and Vitest',
      JSON.stringify({
        ...{ numPassedTests: 2, numFailedTests: 1, numPendingTests: 1, numTodoTests: 1, numRuntimeErrorTestSuites: 1 },
        testResults: [
          {
            assertionResults: [
              { status: 'failed', fullName: 'calc adds', failureMessages: ['no', 'no'] },
              { status: 'passed', fullName: 'x' },
            ],
          },
          { name: 'broken.test.ts', status: 'failed', message: 'cannot be read', assertionResults: [] },
        ],
      }),
      {
        passed: 2,
        failed: 2,
        skipped: 2,
        failures: [
          { name: 'calc adds', message: 'no\nno' },
          { name: 'broken.test.ts', message: 'cannot be read' },
        ],
      },
    ],
    [
      'of mocha',
      '{"stats": {"passes": 3, "failures": 1, "pending": 2}, "failures": [{"fullTitle": "a b", "err": {"message": "c"}}]}',
      { passed: 3, failed: 1, skipped: 2, failures: [{ name: 'a b', message: 'c' }] },
    ],
    ['of pytest', '{"summary": {"passed": 3, "failed": 1, "error": 1, "total": 5}}', { passed: 3, failed: 2 }],
    [
      'of pytest, where none passed',
      '{"summary": {"failed": 3, "total": 3, "collected": 3}, "tests": [{}, {}, {}]}',
      { passed: 0, failed: 3 },
    ],
    ['with more failures than it counts', '{"passed": 100, "failed": 0, "failures": ["a", "b"]}', { passed: 100, failed: 2 }],
    ['with its failures in a list alone', '{"tests": 10, "failures": ["a", "b"]}', { passed: 8, failed: 2 }],
    ['of Playwright', '{"stats": {"expected": 3, "unexpected": 1, "skipped": 1}}', { passed: 3, failed: 1, skipped: 1 }],
  ])('%s', (_, text, expected) => expect(read('json', text)).toMatchObject(expected));

  test.each(['"60"', '-60', '1.5', '1e400', '60000000000000000000', 'true', '{}'])('a report of %s failed tests is none', (failed) => {
    for (const text of [
      `{"passed": 100, "failed": ${failed}}`,
      `{"stats": {"passes": 100, "failures": ${failed}}}`,
      `{"numPassedTests": 9, "numFailedTests": ${failed}}`,
    ])
      expect(read('json', text)).toBeUndefined();
  });

  test.each(['{"passed": "19"}', '{"passed": -1}', '{"passed": 1.5}', '[1]', 'null', '{"passed": 1', ''])('%j is no report', (text) => {
    expect(read('json', text)).toBeUndefined();
  });
});

test.each<[ReportFormat, string]>([
  ['tap', 'not ok 1\n  ---\n'],
  ['tap', `${' '.repeat(4000)}ok 1\nok 2\n`],
  ['tap', '1..999999999\n'],
  ['tap', '# skip # '],
  ['junit', '<testsuite>'],
  ['junit', '<testsuite a="'],
  ['junit', '<!--'],
  ['junit', '&amp;'],
  ['json', '{"passed":1,"a":['],
])('%s: four million characters of %j are read at once', (format, text) => {
  const found = readReport(format, text.repeat(4_000_000 / text.length));
  if ('tally' in found) expect(found.tally.failures.length).toBeLessThanOrEqual(50);
});
