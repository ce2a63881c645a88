import { defined } from '../../plan/defined';
import { linesOf } from '../../plan/text/lines';
import { addFailed, newTally, noteFailure, type ReadReport, type Tally } from './tally';

const POINT = /^((?: {4})*)(not )?ok(?=\s|$)[ \t]*(\d*)[ \t]*(.*)$/s;
const PLAN = /^((?: {4})*)1\.\.(\d{1,9})\b/;
const BAILED = /^ *Bail out!(.*)$/s;
const DIRECTIVE = /(?<!\\)#\s*(skip|todo)/i;
const DIAGNOSIS_BEGINS = /^ *---\s*$/;
const DIAGNOSIS_ENDS = /^ *\.\.\.\s*$/;

/** The known tests of one level since the last enclosing test. */
interface Level {
  points: number;
  planned?: number;
  failed?: true;
}

/**
 * TAP 13 and 14. Subtests are four spaces further in and come before the line of the test that they belong to. The innermost count: a suite
 * of fifty tests is fifty, and not one. A suite that fails although each of its tests passes counts as one that failed.
 *
 * The package `tap-parser` counts the same, but in time that grows faster than the text: 200 kB that are deeply indented hold a worker up
 * for seconds.
 */
export function readTap(text: string): ReadReport {
  const tally = newTally();
  const levels: Level[] = [];
  const lines = linesOf(text);
  const lastEnd = lines.findLastIndex((line) => DIAGNOSIS_ENDS.test(line));
  let isTap = false;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? '';
    const bailed = BAILED.exec(line);
    if (bailed) addFailed(tally, 'Bail out!', bailed[1]);
    const plan = PLAN.exec(line);
    if (plan) {
      const level = levelAt(levels, depthOf(plan[1]));
      level.planned = (level.planned ?? 0) + Number(plan[2]);
    }
    const point = POINT.exec(line);
    isTap ||= point !== null || plan !== null || /^TAP version \d/.test(line);
    if (!point) continue;
    const diagnosis = i < lastEnd ? diagnosisAfter(lines, i) : [];
    takePoint(tally, levels, point, diagnosis);
    i += diagnosis.length;
  }
  if (!isTap) return { problem: 'no line begins with "ok", "not ok" or "1.."' };
  const outer = levels[0];
  noteMissing(tally, (outer?.planned ?? 0) - (outer?.points ?? 0));
  return { tally, ...defined({ broken: outer?.planned === undefined || undefined }) };
}

function takePoint(tally: Tally, levels: Level[], [, indent, not, number, rest = '']: RegExpExecArray, diagnosis: readonly string[]): void {
  const depth = depthOf(indent);
  const within = levels[depth + 1];
  levels.length = Math.min(levels.length, depth + 1);
  const level = levelAt(levels, depth);
  level.points += 1;
  const directive = DIRECTIVE.exec(rest);
  // A todo test may fail.
  const failed = not !== undefined && !directive;
  if (failed) level.failed = true;
  const isSuite = within !== undefined && within.points > 0;
  if (failed && !(isSuite && within.failed)) addFailed(tally, nameOf(rest) || `test ${number}`, diagnosis.slice(1, -1).join('\n'));
  if (failed || isSuite) return;
  if (not !== undefined || directive?.[1]?.toLowerCase() === 'skip') tally.skipped += 1;
  else tally.passed += 1;
}

function nameOf(description: string): string {
  return description.replace(/^- /, '').trim();
}

function noteMissing(tally: Tally, missing: number): void {
  if (missing <= 0) return;
  tally.failed += missing;
  noteFailure(tally, `${missing} of the planned tests did not run`);
}

/** The YAML lines after a test, which may look like tests themselves. There is an end somewhere below. */
function diagnosisAfter(lines: readonly string[], at: number): string[] {
  if (!DIAGNOSIS_BEGINS.test(lines[at + 1] ?? '')) return [];
  let end = at + 2;
  while (!DIAGNOSIS_ENDS.test(lines[end] ?? '...')) end += 1;
  return lines.slice(at + 1, end + 1);
}

function levelAt(levels: Level[], depth: number): Level {
  while (levels.length <= depth) levels.push({ points: 0 });
  return levels[depth] ?? { points: 0 };
}

function depthOf(indent = ''): number {
  return indent.length / 4;
}
