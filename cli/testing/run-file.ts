import type { LoadedTests } from '../../compiler/test-file/load-tests';
import type { PersonAction, PipelineTest } from '../../compiler/test-file/test-file';
import type { Coverage } from './coverage/coverage';
import { judge } from './judge/judge';
import { type PlayedTest, playTest } from './play-test';
import { preparePipeline } from './prepare-pipeline';
import type { TestReport } from './report';
import { type TestFacts, testFactsOf } from './test-facts';

export interface RunOptions {
  /** Runs only tests whose names contain it, ignoring case. */
  filter?: string;
  coverage?: Coverage;
  /** Called after each. */
  done?(report: TestReport): void;
  /** Aborted: no other test starts. */
  signal?: AbortSignal;
}

/** Runs the tests of a file, one after the other. */
export async function runTests(loaded: LoadedTests, options: RunOptions): Promise<TestReport[]> {
  const prepared = preparePipeline(loaded.compiled);
  const reports: TestReport[] = [];
  options.coverage?.expect(loaded.pipelineFile, prepared.plan);
  for (const test of loaded.tests) {
    if (options.signal?.aborted) break;
    if (!isWanted(test, options.filter)) continue;
    const startedMs = performance.now();
    const played = await playTest(prepared, test);
    const facts = testFactsOf(played);
    options.coverage?.note(loaded.pipelineFile, facts);
    const report = reportOf(test, played, facts, performance.now() - startedMs);
    reports.push(report);
    options.done?.(report);
  }
  return reports;
}

function isWanted({ name }: Pick<PipelineTest, 'name'>, filter: string | undefined): boolean {
  return filter === undefined || name.toLowerCase().includes(filter.toLowerCase());
}

function reportOf(test: PipelineTest, played: PlayedTest, facts: TestFacts, tookMs: number): TestReport {
  const failing = judge(test, played, facts);
  return {
    name: test.name,
    line: test.line,
    ok: failing.length === 0,
    status: facts.view.state,
    elapsedMs: played.elapsedMs,
    tookMs: Math.round(tookMs * 10) / 10,
    failing,
    notes: failing.length === 0 ? [] : notesOf(played, facts),
  };
}

function notesOf({ idle, ended }: PlayedTest, { journal, view }: TestFacts): string[] {
  const ignored = journal.flatMap((entry) =>
    entry.kind === 'signal' && entry.outcome !== 'applied'
      ? [`${entry.name} changed nothing, it was ${entry.outcome}: ${entry.reason ?? ''}`]
      : [],
  );
  const waiting = ended || view.gates.length === 0 ? [] : [`the run waits at ${view.gates.map(({ step }) => step).join(', ')}`];
  return [...waiting, ...ignored, ...idle.map((deed) => `${describe(deed)} never happened`)];
}

function describe({ when, does }: PersonAction): string {
  const what = does.kind === 'cancel' ? 'cancel' : does.name;
  return when.kind === 'at'
    ? `${what} at ${when.ms} ms`
    : `${what} at ${when.kind === 'gate' ? `the gate ${when.gate}` : `${when.step} held`}`;
}
