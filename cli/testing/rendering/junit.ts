import type { FileReport, SuiteReport, TestReport } from '../report';
import { failingLines } from './failing';

/**
 * The report as JUnit XML: one suite for each file, one case for each test. A file with mistakes is a suite with one error. Times are real,
 * in seconds.
 */
export function junitXml(report: SuiteReport): string {
  const { passed, failed, invalid, tookMs } = report;
  const counts = `tests="${passed + failed + invalid}" failures="${failed}" errors="${invalid}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="thermidor" ${counts} time="${seconds(tookMs)}">`,
    ...report.files.flatMap(suite),
    '</testsuites>',
    '',
  ].join('\n');
}

function suite(file: FileReport): string[] {
  const { tests, valid } = file;
  const failures = tests.filter(({ ok }) => !ok).length;
  const took = tests.reduce((sum, { tookMs }) => sum + tookMs, 0);
  const counts = `tests="${valid ? tests.length : 1}" failures="${failures}" errors="${valid ? 0 : 1}"`;
  return [
    `  <testsuite name="${escaped(file.file)}" ${counts} time="${seconds(took)}">`,
    ...(valid ? tests.flatMap((test) => testCase(file, test)) : refusal(file)),
    '  </testsuite>',
  ];
}

function testCase({ file, pipeline }: FileReport, test: TestReport): string[] {
  const attributes = `name="${escaped(test.name)}" classname="${escaped(pipeline ?? file)}" file="${escaped(file)}" line="${test.line}" time="${seconds(test.tookMs)}"`;
  if (test.ok) return [`    <testcase ${attributes}/>`];
  const what = test.failing.map((failing) => failing.what).join(', ');
  const text = [...test.failing.flatMap(failingLines), ...test.notes.map((note) => `note: ${note}`)].join('\n');
  return [
    `    <testcase ${attributes}>`,
    `      <failure type="expectation" message="${escaped(what)}">${content(text)}</failure>`,
    '    </testcase>',
  ];
}

function refusal({ file, diagnostics, problem }: FileReport): string[] {
  const lines = diagnostics.map((found) => `${found.file}:${found.line}:${found.column} ${found.code}: ${found.message}`);
  const text = [...(problem === undefined ? [] : [problem]), ...lines].join('\n');
  return [
    `    <testcase name="${escaped(file)}" classname="${escaped(file)}" file="${escaped(file)}">`,
    `      <error type="invalid" message="the file is invalid">${content(text)}</error>`,
    '    </testcase>',
  ];
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** An attribute's value. A literal line break would be read as a space. */
function escaped(text: string): string {
  return content(text).replace(/[\t\n\r]/g, (blank) => `&#${blank.charCodeAt(0)};`);
}

/** Text as XML 1.0 may hold it; characters that it may not hold become U+FFFD. */
function content(text: string): string {
  return [...text]
    .map((character) => {
      const code = character.codePointAt(0) ?? 0;
      if (!isXml(code)) return '\ufffd';
      return ENTITIES[character] ?? character;
    })
    .join('');
}

function isXml(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff;
}
