import { defined } from '../../plan/defined';
import { ThermidorFailure } from '../../plan/run/failure';
import type { TestReport, TestSource } from '../../plan/run/test-report';
import type { CommandStep } from '../../plan/steps/step';
import { ending } from '../../plan/text/shortened';
import { asJson } from '../../records/stored-json';
import type { CommandRequest, CommandResult } from '../ports';
import type { RunSecrets } from '../run/run-secrets';
import { readReport } from '../test-reports/read-report';
import { addFailed, reportOf, type Tally } from '../test-reports/tally';

/** The request as its step wants it: if the step reads tests, red ones are a result. */
export function withTests(step: CommandStep, request: CommandRequest): CommandRequest {
  if (!step.tests) return request;
  const { file } = step.tests;
  return { ...request, anyExit: true, ...defined({ writes: file }) };
}

/**
 * The result of a command's tests. Only failed tests explain an exit code other than 0.
 *
 * Fails with `tests.unreadable` if a successful command leaves no results; with `command.failed` if a failing one leaves none, or none that
 * failed.
 */
export function testReport(step: string, { format, file }: TestSource, ended: CommandResult, mask: RunSecrets['mask']): TestReport {
  const { exitCode = 0 } = ended;
  const said = saidBy(ended, mask);
  const text = file === undefined ? ended.stdout : ended.written;
  const read = text === undefined ? { problem: 'it was not written' } : readReport(format, text);
  if ('problem' in read) {
    const problem = `${file ?? 'what it printed'} is not a report of tests in format ${format}: ${read.problem}`;
    if (exitCode !== 0) throw redFailure(said, exitCode, problem);
    throw new ThermidorFailure('tests.unreadable', problem, { step, format, ...said });
  }
  const { tally, broken } = read;
  if (exitCode !== 0 && broken && tally.failed > 0) addFailed(tally, 'the results break off');
  if (exitCode !== 0 && tally.failed === 0) throw redFailure(said, exitCode, unexplained(tally, broken));
  return reportOf(tally, mask);
}

function unexplained({ passed, skipped }: Tally, broken: true | undefined): string {
  const ran = `${passed} tests passed${skipped > 0 ? `, ${skipped} were skipped` : ''} and none failed`;
  return broken ? `${ran}, and the results break off` : `${ran}, so something else did`;
}

function redFailure(said: ReturnType<typeof saidBy>, exitCode: number, why: string): ThermidorFailure {
  return new ThermidorFailure(
    'command.failed',
    `the command ended with exit code ${exitCode}: ${why}`,
    asJson({ exitCode, signal: null, ...said }),
  );
}

const SAID_CHARACTERS = 16 * 1024;

/** The ends of its output. */
function saidBy({ stdout, stderr }: CommandResult, mask: RunSecrets['mask']): { stdout: string; stderr: string } {
  return { stdout: ending(mask(stdout), SAID_CHARACTERS), stderr: ending(mask(stderr), SAID_CHARACTERS) };
}
