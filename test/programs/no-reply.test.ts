import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readSettingsFile, SETTINGS_FILE } from '../../cli/settings/settings-file';
import { playTest } from '../../cli/testing/play-test';
import { preparePipeline } from '../../cli/testing/prepare-pipeline';
import { TestReader } from '../../cli/testing/read-tests';
import { testFactsOf } from '../../cli/testing/test-facts';
import type { Json } from '../../plan/text/json';
import { installationOf } from '../../worker/installation';
import { playToTheEnd, runScripted } from '../main-job/workshop';
import { PIPELINES, playedBy, readMerged, scriptNames } from './program-files';

/** Every shipped script answers for each agent that its run asks, including those of the escalation chain. */

const TEMPLATES = join(__dirname, '../../examples/templates');
const NO_REPLY = 'script.no-reply';
/** The steps of these need a repository, or run its tests. Each has a test of its own. */
const IN_REPOSITORY = [
  ...['backlog', 'two-changes', 'caid-build', 'caid-commit0', 'caid-paperbench', 'linear-delivery'],
  ...['standard-development', 'parallel-development', 'expert-guided', 'complex-investigation', 'high-risk-feature'],
];
/** The args of pipelines that require some. */
const ARGS: Record<string, Record<string, Json>> = { engineering_delivery: { task: 'Do it.' }, outward_copy: { brief: 'Say it.' } };

it.each(scriptNames.filter((name) => !IN_REPOSITORY.includes(name)))(
  '%s leaves no request of its pipeline without a reply',
  async (script) => {
    // The script's own pipeline is the smallest one that it can play.
    const [pipeline] = playedBy(readMerged(script)).sort((a, b) => a.steps.length - b.steps.length);
    const run = await runScripted(pipeline?.name ?? '', script, ARGS[pipeline?.name ?? '']);
    try {
      await playToTheEnd(run);
      expect(JSON.stringify([await run.journal(), run.notices])).not.toContain(NO_REPLY);
    } finally {
      run.close();
    }
  },
);

const ofTemplates = readdirSync(TEMPLATES).map((name) => ({ name, folder: join(TEMPLATES, name, 'pipelines') }));
const ofPipelines = IN_REPOSITORY.map((name) => ({ name, folder: PIPELINES }));

/** These pipelines run programs, so the first pipeline test plays each script. */
const played = [...ofTemplates, ...ofPipelines].map(({ name, folder }) => {
  const file = join(folder, `${name}.test.yaml`);
  const { loaded } = readerFor(file).read(file);
  const [test] = loaded.tests ?? [];
  if (!loaded.tests || !test) throw new Error(`${file} does not load`);
  return { name, test, prepared: preparePipeline(loaded.compiled) };
});

/** Uses the settings of the folder, if it has any. */
function readerFor(file: string): TestReader {
  const settings = join(dirname(dirname(file)), SETTINGS_FILE);
  return new TestReader('/', installationOf({ channels: {}, ...(existsSync(settings) ? readSettingsFile(settings, settings) : {}) }));
}

it.each(played)('the script of $name leaves no request without a reply', async ({ prepared, test }) => {
  const facts = testFactsOf(await playTest(prepared, test));
  expect(JSON.stringify([facts.journal, facts.view])).not.toContain(NO_REPLY);
});
