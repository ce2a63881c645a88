import { readReport } from '../../activities/test-reports/read-report';
import type { TeamReport } from '../../kinds/caid/rules/report';
import type { StepView } from '../../plan/run/status';
import { REPORT_FORMATS } from '../../plan/run/test-report';
import { chooseLogs, namedLogs } from '../../records/logs/choose-logs';
import { linesInOrder, startLogReading } from '../../records/logs/printed-lines';
import type { Records } from '../../records/records';
import { newestRun } from '../../records/runs/list-runs';
import { pathOfStep } from '../rendering/step-tree';

/** How much of the tests' output is read. */
const MOST_READ_CHARACTERS = 8 * 1024 * 1024;

/**
 * The result of the final tests that a team runs, and how many of them pass; if a team began several times, the last. Without counts if the
 * output has no results that a reader knows.
 */
export async function finalTests(
  records: Records,
  run: string,
  steps: readonly StepView[],
  { id }: Pick<StepView, 'id'>,
): Promise<TeamReport['tests']> {
  const step = steps.findLast((one) => one.id === `${id}_tests`);
  const state = step && endOf(step);
  if (!state) return undefined;
  const printed = await printedBy(records, run, pathOfStep(step));
  for (const format of REPORT_FORMATS) {
    const read = readReport(format, printed);
    if (!('tally' in read)) continue;
    const { passed, failed } = read.tally;
    if (passed + failed > 0) return { state, passed, ran: passed + failed };
  }
  return { state };
}

function endOf({ state }: StepView): 'passed' | 'failed' | undefined {
  if (state === 'done') return 'passed';
  return state === 'failed' || state === 'held' ? 'failed' : undefined;
}

async function printedBy(records: Records, run: string, step: string): Promise<string> {
  const key = await newestRun(records, run);
  if (!key) return '';
  const readings = chooseLogs(namedLogs(await records.logs.list(key)), { step }).map(startLogReading);
  let printed = '';
  for await (const { from, text } of linesInOrder(records.logs, key, readings)) {
    if (from === 'stdout') printed += `${text}\n`;
    if (printed.length > MOST_READ_CHARACTERS) return '';
  }
  return printed;
}
