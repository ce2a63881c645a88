import { playTest } from '../../cli/testing/play-test';
import { preparePipeline } from '../../cli/testing/prepare-pipeline';
import { callsOf, type TestFacts, testFactsOf } from '../../cli/testing/test-facts';
import { loadTests } from '../../compiler/test-file/load-tests';

export interface PlayedFile extends TestFacts {
  /** How often the agent of a step was asked, or its command ran. */
  calls(id: string): number;
}

/** Plays the text of a pipeline as a pipeline test with these replies, commands and people would. */
export async function playFile(
  text: string,
  replies: Record<string, unknown>,
  commands: Record<string, unknown> = {},
  people: readonly unknown[] = [],
): Promise<PlayedFile> {
  const test = { name: 'it', replies, commands, people, expect: { status: 'completed' } };
  const loaded = loadTests('p.test.yaml', JSON.stringify({ pipeline: 'p.yaml', tests: [test] }), {
    read: (path) => (path === 'p.yaml' ? text : undefined),
    list: () => ['p.yaml'],
  });
  const [first] = loaded.tests ?? [];
  if (!loaded.tests || !first) throw new Error(JSON.stringify(loaded.diagnostics));
  const played = testFactsOf(await playTest(preparePipeline(loaded.compiled), first));
  const ofStep = (id: string) => [...played.steps.values()].filter(({ path }) => path === id || path.endsWith(`/${id}`));
  return { ...played, calls: (id) => ofStep(id).reduce((sum, one) => sum + callsOf(one), 0) };
}
