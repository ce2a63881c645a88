import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readSettingsFile, SETTINGS_FILE } from '../../cli/settings/settings-file';
import { TestReader } from '../../cli/testing/read-tests';
import { runSuite } from '../../cli/testing/run-suite';
import { TEST_FILE } from '../../compiler/test-file/load-tests';
import { installationOf } from '../../worker/installation';

const ROOT = join(__dirname, '..', '..');
/** Uses the settings of the repository, in which the chairman approves. */
const HERE = installationOf({ channels: {}, ...readSettingsFile(join(ROOT, SETTINGS_FILE), SETTINGS_FILE) });
const shipped = readdirSync(join(ROOT, 'pipelines')).filter((name) => /\.(?:ya?ml|json|lobster)$/.test(name) && !TEST_FILE.test(name));

describe('pipelines that are shipped', () => {
  it.each(shipped)('%s has tests, which pass and reach every step', async (name) => {
    const file = join('pipelines', name.replace(/\.[a-z]+$/, '.test.yaml'));
    const report = await runSuite([file], new TestReader(ROOT, HERE), {
      coverage: true,
      leastSteps: 100,
      signal: new AbortController().signal,
    });
    const failing = report.files.flatMap(({ tests }) => tests.filter(({ ok }) => !ok));
    expect({ failing, problems: report.files.map(({ problem, diagnostics }) => problem ?? diagnostics) }).toEqual({
      failing: [],
      problems: [[]],
    });
    expect(report).toMatchObject({ ok: true, coverage: [{ steps: { percent: 100 } }] });
  });
});
