import { field, isJsonObject, type Json } from '../../plan/text/json';
import { linesOf } from '../../plan/text/lines';
import { parseUntrustedJson } from '../../plan/text/untrusted-json';
import { fields, item, listOf, text } from '../../records/outside-json';
import { newTally, noteFailure, type ReadReport, type Tally } from './tally';

/** A program's names for its numbers, and the place of its failures. */
interface Form {
  /** Where the numbers are; absent: in the object itself. */
  within?: string;
  passed: string;
  failed: readonly string[];
  skipped: readonly string[];
  /** Where this is a number, what is left out is 0. */
  total?: string;
}

/** Jest and Vitest · mocha · pytest-json-report · Playwright · a custom object. */
const FORMS: readonly Form[] = [
  // A suite that cannot be loaded has no test that could fail.
  { passed: 'numPassedTests', failed: ['numFailedTests', 'numRuntimeErrorTestSuites'], skipped: ['numPendingTests', 'numTodoTests'] },
  { within: 'stats', passed: 'passes', failed: ['failures'], skipped: ['pending'] },
  { within: 'summary', passed: 'passed', failed: ['failed', 'error'], skipped: ['skipped'], total: 'total' },
  { within: 'stats', passed: 'expected', failed: ['unexpected'], skipped: ['skipped'] },
  { passed: 'passed', failed: ['failed'], skipped: ['skipped'] },
  { passed: 'tests', failed: ['failed', 'failures'], skipped: ['skipped'] },
];

/**
 * An object with numbers of one of these forms: all of the text, or its last line, before which programs print what they like. A value that
 * should be a number and is not makes the numbers untrustworthy; it does not mean that nothing failed.
 */
export function readJson(printed: string): ReadReport {
  const last = linesOf(printed.trimEnd()).at(-1) ?? '';
  for (const part of [last, printed]) {
    const value = parseUntrustedJson(part);
    const read = isJsonObject(value) ? reportIn(value) : undefined;
    if (read) return read;
  }
  return { problem: `neither the text nor its last line is a JSON object with numbers such as "passed" and "failed"` };
}

function reportIn(value: Json): ReadReport | undefined {
  for (const { within, ...form } of FORMS) {
    const numbers = within === undefined ? value : field(value, within);
    const isWhole = form.total !== undefined && numberAt(numbers, form.total) !== undefined && field(numbers, form.passed) === undefined;
    const passed = isWhole ? 0 : numberAt(numbers, form.passed);
    if (passed === undefined) continue;
    const others = [...form.failed, ...form.skipped].find((name) => countAt(numbers, name) === NO_COUNT);
    if (others !== undefined) return { problem: `"${others}" is not a number of tests` };
    return { tally: tallyOf(value, passed, sumAt(numbers, form.failed), sumAt(numbers, form.skipped), form.passed === 'tests') };
  }
  return undefined;
}

function tallyOf(value: Json, counted: number, stated: number, skipped: number, isOfAll: boolean): Tally {
  const tally = { ...newTally(), skipped };
  let named = 0;
  for (const [name, message] of namedFailures(value)) {
    named += 1;
    noteFailure(tally, name, message);
  }
  tally.failed = Math.max(stated, named);
  tally.passed = isOfAll ? Math.max(0, counted - tally.failed - skipped) : counted;
  return tally;
}

/** There is something, and it is not a number of tests. */
const NO_COUNT = 'no count';

/** A list, such as of failures, has as many as are in it. */
function countAt(value: Json | undefined, name: string): number | typeof NO_COUNT | undefined {
  const found = field(value, name);
  if (found === undefined || found === null) return undefined;
  return Array.isArray(found) ? found.length : (numberAt(value, name) ?? NO_COUNT);
}

function numberAt(value: Json | undefined, name: string): number | undefined {
  const found = field(value, name);
  return typeof found === 'number' && Number.isSafeInteger(found) && found >= 0 ? found : undefined;
}

function sumAt(value: Json | undefined, names: readonly string[]): number {
  return names.reduce((sum, name) => sum + Number(countAt(value, name) ?? 0), 0);
}

const FILE = fields({
  status: text,
  name: text,
  message: text,
  assertionResults: listOf(fields({ status: text, fullName: text, failureMessages: listOf(text) })),
});
const FAILURE = fields({ fullTitle: text, name: text, message: text, err: fields({ message: text }) });
const FAILURES = fields({ failures: listOf(item), testResults: listOf(FILE) });

/** The failures by name: `failures` of mocha or of a custom object, the test files of Jest and Vitest. */
function* namedFailures(value: Json): Generator<[name: string, message: string]> {
  const { failures, testResults } = FAILURES.parse(value);
  for (const failure of failures) {
    const { fullTitle, name = '', message = '', err } = FAILURE.parse(failure);
    yield typeof failure === 'string' ? [failure, ''] : [fullTitle ?? name, err.message ?? message];
  }
  for (const { status, name = '', message = '', assertionResults: tests } of testResults) {
    if (tests.length === 0 && status === 'failed') yield [name, message];
    for (const { status, fullName = '', failureMessages } of tests)
      if (status === 'failed') yield [fullName, failureMessages.filter((one) => one !== undefined).join('\n')];
  }
}
