import type { TestFormat } from '../../plan/queue/queue-settings';
import { field, type Json } from '../../plan/text/json';
import { unreachable } from '../../plan/unreachable';

/**
 * How many tests ran, by what the command printed; skipped ones do not count. Undefined where it printed nothing of that format.
 *
 * `tap`: lines that begin with `ok` or `not ok`, subtests left out · `junit`: `tests` less `skipped` of the outermost `<testsuite>`s · `json`: the last
 * line, or all of it, is an object with a number `numPassedTests`, `passed` or `tests` · `line`: the last line such as `tests: 120`.
 */
export function countTests(format: TestFormat, stdout: string): number | undefined {
  switch (format) {
    case 'tap':
      return countTap(stdout);
    case 'junit':
      return countJunit(stdout);
    case 'json':
      return countJson(stdout);
    case 'line':
      return lastNumber(stdout);
    default:
      return unreachable(format);
  }
}

function countTap(stdout: string): number | undefined {
  const lines = stdout.split('\n');
  const results = lines.filter((line) => /^(not )?ok\b/.test(line));
  if (results.length === 0 && !lines.some((line) => /^(TAP version|1\.\.)/.test(line))) return undefined;
  return results.filter((line) => !/#\s*skip/i.test(line)).length;
}

function countJunit(stdout: string): number | undefined {
  const whole = /<testsuites\b[^<>]*>/.exec(stdout)?.[0];
  const tags = whole !== undefined && attribute(whole, 'tests') !== undefined ? [whole] : (stdout.match(/<testsuite\b[^<>]*>/g) ?? []);
  if (tags.length === 0) return undefined;
  return tags.reduce((sum, tag) => sum + (attribute(tag, 'tests') ?? 0) - (attribute(tag, 'skipped') ?? 0), 0);
}

function attribute(tag: string, name: string): number | undefined {
  const found = new RegExp(`\\s${name}\\s*=\\s*["'](\\d+)["']`).exec(tag);
  return found ? Number(found[1]) : undefined;
}

const COUNTS = ['numPassedTests', 'passed', 'tests'] as const;

function countJson(stdout: string): number | undefined {
  const last = stdout.trim().split('\n').at(-1) ?? '';
  for (const text of [last, stdout]) {
    const read = parsed(text);
    for (const name of COUNTS) {
      const count = field(read, name);
      if (typeof count === 'number' && Number.isSafeInteger(count)) return count;
    }
  }
  return undefined;
}

function parsed(text: string): Json | undefined {
  try {
    const read: Json = JSON.parse(text);
    return read;
  } catch {
    return undefined;
  }
}

function lastNumber(stdout: string): number | undefined {
  const found = [...stdout.matchAll(/^[ \t]*tests:[ \t]*(\d+)\b/gim)].at(-1);
  return found ? Number(found[1]) : undefined;
}
