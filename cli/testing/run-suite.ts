import { hasErrors } from '../../compiler/diagnostics/diagnostic';
import { defined } from '../../plan/defined';
import { shownFailure } from '../exit';
import { Coverage } from './coverage/coverage';
import type { TestReader } from './read-tests';
import type { FileReport, SuiteReport, TestReport } from './report';
import { runTests } from './run-file';

export interface SuiteOptions {
  filter?: string;
  coverage: boolean;
  /** Least share of each pipeline's steps, and of its branches, in percent. */
  leastSteps?: number;
  leastBranches?: number;
  signal: AbortSignal;
  /** Called as a file begins, with what is wrong with it, and after each test. */
  began?(file: FileReport): void;
  done?(report: TestReport): void;
}

/** Runs files of tests, whatever is wrong with earlier ones. */
export async function runSuite(files: readonly string[], reader: TestReader, options: SuiteOptions): Promise<SuiteReport> {
  const startedMs = performance.now();
  const coverage = options.coverage ? new Coverage() : undefined;
  const reports: FileReport[] = [];
  for (const given of files) {
    if (options.signal.aborted) break;
    reports.push(await runOne(given, reader, coverage, options));
  }
  const tests = reports.flatMap((file) => file.tests);
  const failed = tests.filter(({ ok }) => !ok).length;
  const invalid = reports.filter(({ valid }) => !valid).length;
  const reached = coverage?.report();
  const tooLittle = (reached ?? []).filter(
    ({ steps, branches }) => steps.percent < (options.leastSteps ?? 0) || branches.percent < (options.leastBranches ?? 0),
  );
  return {
    ok: failed === 0 && invalid === 0 && tooLittle.length === 0,
    passed: tests.length - failed,
    failed,
    invalid,
    tookMs: Math.round(performance.now() - startedMs),
    files: reports,
    ...defined({ coverage: reached, tooLittle: tooLittle.length > 0 ? tooLittle.map(({ pipeline }) => pipeline) : undefined }),
  };
}

async function runOne(given: string, reader: TestReader, coverage: Coverage | undefined, options: SuiteOptions): Promise<FileReport> {
  const report: FileReport = { file: given, diagnostics: [], valid: false, tests: [] };
  try {
    const { file, loaded } = reader.read(given);
    report.file = file;
    report.diagnostics = loaded.diagnostics;
    report.valid = loaded.tests !== undefined && !hasErrors(loaded.diagnostics);
    if (loaded.tests) report.pipeline = loaded.compiled.plan.name;
    options.began?.(report);
    if (!loaded.tests) return report;
    const { filter, signal, done } = options;
    report.tests = await runTests(loaded, {
      signal,
      ...defined({ filter, done, coverage }),
    });
  } catch (error) {
    const failure = shownFailure(error);
    if (!failure) throw error;
    report.problem = failure.message;
    options.began?.(report);
  }
  return report;
}
