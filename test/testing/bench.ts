import { Coverage, type PipelineCoverage } from '../../cli/testing/coverage/coverage';
import type { TestReport } from '../../cli/testing/report';
import { runTests } from '../../cli/testing/run-file';
import { type LoadedTests, loadTests } from '../../compiler/test-file/load-tests';

/** Runs a test file for the pipeline `p.yaml` in the same folder. Both are given as text; the agents `w` and `r` exist. */
export async function bench(pipeline: string, tests: string, more: Record<string, string> = {}): Promise<TestReport[]> {
  return (await benchWithCoverage(pipeline, tests, more)).reports;
}

/** Runs the only test of a file. */
export async function benchOne(pipeline: string, test: string, more: Record<string, string> = {}, file = 'p.yaml'): Promise<TestReport> {
  const [report] = await bench(pipeline, `pipeline: ${file}\ntests:\n  - name: t\n${test.replace(/^/gm, '    ')}`, more);
  if (!report) throw new Error('no test ran');
  return report;
}

export async function benchWithCoverage(
  pipeline: string,
  tests: string,
  more: Record<string, string> = {},
): Promise<{ reports: TestReport[]; coverage: PipelineCoverage }> {
  const coverage = new Coverage();
  const reports = await runTests(load(pipeline, tests, more), { coverage });
  const [of] = coverage.report();
  if (!of) throw new Error('nothing is covered');
  return { reports, coverage: of };
}

export function load(pipeline: string, tests: string, more: Record<string, string> = {}): LoadedTests {
  const agents = { 'agents/w.yaml': 'role: Writes.\n', 'agents/r.yaml': 'role: Reviews.\n' };
  const files = new Map(Object.entries({ 'p.yaml': `name: p\n${pipeline}`, ...agents, ...more }));
  const list = (folder: string) => [...files.keys()].filter((path) => path.startsWith(`${folder}/`));
  const loaded = loadTests('p.test.yaml', tests, { read: (path) => files.get(path), list });
  if (!loaded.tests) throw new Error(JSON.stringify(loaded.diagnostics, null, 2));
  return loaded;
}

/** The expectations that were not met. */
export function missed({ failing }: TestReport): string[] {
  return failing.map(({ what }) => what);
}
