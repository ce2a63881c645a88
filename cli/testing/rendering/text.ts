import { duration } from '../../../plan/text/duration';
import type { Colors } from '../../terminal';
import type { PipelineCoverage } from '../coverage/coverage';
import type { SuiteReport, TestReport } from '../report';
import { failingLines } from './failing';

/** The results of tests for people: one line each, and the reasons of those that failed. */
export function testLines({ name, ok, elapsedMs, tookMs, failing, notes }: TestReport, colors: Colors): string[] {
  const time = colors.dim(`${duration(elapsedMs)} in ${tookMs} ms`);
  if (ok) return [`  ${colors.green('✓')} ${name}  ${time}`];
  const why = failing.flatMap((one) => failingLines(one).map((line, i) => `      ${i === 0 ? line : colors.dim(line)}`));
  return [`  ${colors.red('✗')} ${name}  ${time}`, ...why, ...notes.map((note) => `      ${colors.yellow('note:')} ${note}`)];
}

export function summaryLine({ passed, failed, invalid, tookMs }: SuiteReport, colors: Colors): string {
  const count = (number: number, what: string, color: (text: string) => string): string[] =>
    number === 0 ? [] : [color(`${number} ${what}`)];
  const parts = [
    ...count(failed, 'failed', colors.red),
    ...count(passed, 'passed', colors.green),
    ...count(invalid, invalid === 1 ? 'file is invalid' : 'files are invalid', colors.red),
  ];
  return `${parts.join(', ') || 'no test ran'}  ${colors.dim(`${Math.round(tookMs)} ms`)}`;
}

/** The coverage of each pipeline, and every step and branch that was not reached. */
export function coverageLines(coverage: readonly PipelineCoverage[], colors: Colors): string[] {
  return coverage.flatMap(({ pipeline, steps, branches, missed }) => {
    const full = missed.length === 0;
    const head = `${pipeline}: steps ${steps.percent} % (${steps.reached} of ${steps.total}), branches ${branches.percent} % (${branches.reached} of ${branches.total})`;
    return [full ? colors.green(head) : head, ...missed.map(({ step, what }) => `  ${colors.yellow('not reached:')} ${step}: ${what}`)];
  });
}
