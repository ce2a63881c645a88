import type { LoadedTests } from '../../compiler/test-file/load-tests';
import type { Deed, PipelineTest } from '../../compiler/test-file/test-file';
import type { Coverage } from './coverage/coverage';
import { type Facts, factsOf } from './facts';
import { judge } from './judge/judge';
import { type Played, play } from './play';
import { prepare } from './prepare';
import type { TestReport } from './report';

export interface RunOptions {
  /** Only tests whose names contain it, whatever the case. */
  filter?: string;
  coverage?: Coverage;
  /** Called after each. */
  done?(report: TestReport): void;
  /** Aborted: no other test starts. */
  signal?: AbortSignal;
}

/** Runs the tests of a file, one after the other. */
export async function runTests(loaded: LoadedTests, options: RunOptions): Promise<TestReport[]> {
  const prepared = prepare(loaded.compiled);
  const reports: TestReport[] = [];
  options.coverage?.expect(loaded.pipelineFile, prepared.plan);
  for (const test of loaded.tests) {
    if (options.signal?.aborted) break;
    if (!isWanted(test, options.filter)) continue;
    const startedMs = performance.now();
    const played = await play(prepared, test);
    const facts = factsOf(played);
    options.coverage?.note(loaded.pipelineFile, facts);
    const report = reportOf(test, played, facts, performance.now() - startedMs);
    reports.push(report);
    options.done?.(report);
  }
  return reports;
}

export function isWanted({ name }: Pick<PipelineTest, 'name'>, filter: string | undefined): boolean {
  return filter === undefined || name.toLowerCase().includes(filter.toLowerCase());
}

function reportOf(test: PipelineTest, played: Played, facts: Facts, tookMs: number): TestReport {
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

function notesOf({ idle, ended }: Played, { journal, view }: Facts): string[] {
  const ignored = journal.flatMap((entry) =>
    entry.kind === 'signal' && entry.outcome !== 'applied'
      ? [`${entry.name} changed nothing, it was ${entry.outcome}: ${entry.reason ?? ''}`]
      : [],
  );
  const waiting = ended || view.gates.length === 0 ? [] : [`the run waits at ${view.gates.map(({ step }) => step).join(', ')}`];
  return [...waiting, ...ignored, ...idle.map((deed) => `${describe(deed)} never came to it`)];
}

function describe({ when, does }: Deed): string {
  const what = does.kind === 'cancel' ? 'cancel' : does.name;
  return when.kind === 'at'
    ? `${what} at ${when.ms} ms`
    : `${what} at ${when.kind === 'gate' ? `the gate ${when.gate}` : `${when.step} held`}`;
}
