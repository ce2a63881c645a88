import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { playTest } from '../../cli/testing/play-test';
import { preparePipeline } from '../../cli/testing/prepare-pipeline';
import { callsOf, type TestFacts, testFactsOf } from '../../cli/testing/test-facts';
import { loadTests } from '../../compiler/test-file/load-tests';
import { FolderSources } from '../../worker/folder-sources';

const PIPELINES = join(__dirname, '../../pipelines');

export interface Played extends TestFacts {
  /** How often the agent of a step was asked, or its command ran, in all rounds together. */
  calls(step: string): number;
}

/** Plays a shipped pipeline with its script, as a pipeline test with these keys would. `expect` is not checked. */
export async function playShipped(pipeline: string, keys: Record<string, unknown> = {}): Promise<Played> {
  const shipped = readFileSync(join(PIPELINES, `${pipeline}.test.yaml`), 'utf8').replace(/^tests:\n[\s\S]*/m, '');
  const text = `${shipped}tests: [${JSON.stringify({ name: pipeline, ...keys, expect: { status: 'completed' } })}]\n`;
  const sources = new FolderSources(PIPELINES);
  const loaded = loadTests(`${pipeline}.test.yaml`, text, {
    read: (path, limitBytes) => sources.read(join(PIPELINES, path), limitBytes),
    list: (path) => sources.list(join(PIPELINES, path)),
  });
  const [test] = loaded.tests ?? [];
  if (!loaded.tests || !test) throw new Error(JSON.stringify(loaded.diagnostics));
  const facts = testFactsOf(await playTest(preparePipeline(loaded.compiled), test));
  const calls = (step: string): number =>
    [...facts.steps.values()].filter(({ path }) => path === step || path.endsWith(`/${step}`)).reduce((sum, one) => sum + callsOf(one), 0);
  return { ...facts, calls };
}
