import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defined } from '../../plan/defined';
import type { Invocation, Options } from '../command';
import { CommandFailure, EXIT, usage } from '../exit';
import { compilerInstallation } from '../pipelines/installation';
import { format } from '../pipelines/pipelines';
import { configurationOf } from '../settings/settings';
import type { Terminal } from '../terminal';
import { findTests } from '../testing/find-tests';
import { TestReader } from '../testing/read-tests';
import { junitXml } from '../testing/rendering/junit';
import { coverageLines, summaryLine, testLines } from '../testing/rendering/text';
import type { FileReport, SuiteReport } from '../testing/report';
import { runSuite, type SuiteOptions } from '../testing/run-suite';
import { changedSince, changeIn } from '../testing/watch';

/**
 * The pipeline test bench (docs/testing.md): runs `*.test.yaml` in memory, without a server. Exit 1 if a test failed or too little is
 * covered, 2 if a file is invalid.
 */
export async function execute(invocation: Invocation): Promise<number> {
  const { options } = invocation;
  if (!options.flag('watch')) return exitOf(await runOnce(invocation, readerFor(invocation)));
  if (options.flag('json')) throw usage('--watch prints one report after the other, --json one document', 'leave one of the two out');
  return await watchTests(invocation);
}

function readerFor(invocation: Invocation): TestReader {
  return new TestReader(invocation.terminal.cwd, compilerInstallation(configurationOf(invocation)));
}

async function runOnce(invocation: Invocation, reader: TestReader): Promise<SuiteReport> {
  const { args, options, terminal } = invocation;
  const suite = suiteOptions(options, terminal);
  const files = findTests(args, configurationOf(invocation), terminal.cwd);
  const json = options.flag('json');
  const report = await runSuite(files, reader, json ? suite : { ...suite, ...progress(terminal) });
  const junit = options.text('junit');
  if (junit !== undefined) writeReport(junit, junitXml(report), terminal.cwd);
  if (json) terminal.out(`${JSON.stringify(report, null, 2)}\n`);
  else printEnd(report, terminal);
  return report;
}

async function watchTests(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const { interrupted, colors, live } = terminal;
  const reader = readerFor(invocation);
  for (;;) {
    const startedMs = Date.now();
    const report = await runOnce(invocation, reader);
    if (interrupted.aborted) return exitOf(report);
    terminal.err(`${colors.dim('waiting for a change, Ctrl-C ends')}\n`);
    const meanwhile = changedSince(reader.folders, startedMs);
    const changed = meanwhile.length > 0 ? meanwhile : await changeIn(reader.folders, interrupted);
    if (!changed) return exitOf(report);
    reader.forget();
    terminal.out(live ? CLEAR : `\n${colors.dim(`changed: ${changed.join(', ')}`)}\n`);
  }
}
/** Clears the screen and its scroll-back. */
const CLEAR = '\u001b[2J\u001b[3J\u001b[H';

function suiteOptions(options: Options, { interrupted }: Terminal): SuiteOptions {
  const filter = options.text('filter');
  const [leastSteps, leastBranches] = [percent(options, 'coverageMin'), percent(options, 'coverageMinBranches')];
  return {
    signal: interrupted,
    coverage: options.flag('coverage') || leastSteps !== undefined || leastBranches !== undefined,
    ...defined({ filter, leastSteps, leastBranches }),
  };
}

function percent(options: Options, name: string): number | undefined {
  const value = options.number(name);
  if (value !== undefined && value > 100) throw usage(`a share is at most 100 percent, not ${value}`);
  return value;
}

function progress({ out, colors }: Terminal): Pick<SuiteOptions, 'began' | 'done'> {
  return {
    began: (file) => out(fileLines(file, colors).join('')),
    done: (test) => out(`${testLines(test, colors).join('\n')}\n`),
  };
}

function fileLines({ file, diagnostics, problem, valid }: FileReport, colors: Terminal['colors']): string[] {
  const head = valid ? colors.bold(file) : `${colors.red('✗')} ${colors.bold(file)}`;
  return [
    `${head}\n`,
    ...(problem === undefined ? [] : [`  ${problem}\n`]),
    ...(diagnostics.length === 0 ? [] : [`${format(diagnostics, colors.isColorSupported)}\n`]),
  ];
}

function printEnd(report: SuiteReport, { out, colors }: Terminal): void {
  if (report.coverage) out(`\n${coverageLines(report.coverage, colors).join('\n')}\n`);
  for (const pipeline of report.tooLittle ?? []) out(`${colors.red('✗')} too little of ${pipeline} is covered\n`);
  out(`\n${summaryLine(report, colors)}\n`);
}

function writeReport(file: string, text: string, cwd: string): void {
  try {
    writeFileSync(resolve(cwd, file), text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(EXIT.usage, 'report.unwritable', `the report cannot be written to ${file}: ${why}`);
  }
}

function exitOf({ ok, invalid, passed, failed }: SuiteReport): number {
  // A filter that fits nothing is a mistake in the command line: nothing was tested.
  if (invalid > 0 || passed + failed === 0) return EXIT.usage;
  return ok ? EXIT.done : EXIT.failed;
}
