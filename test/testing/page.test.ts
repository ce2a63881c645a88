import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTests } from '../../cli/testing/run-file';
import { EXPECT_KEYS } from '../../compiler/test-file/expectation';
import { loadTests } from '../../compiler/test-file/load-tests';

const PAGE = readFileSync(join(__dirname, '..', '..', 'docs', 'testing.md'), 'utf8');

describe('docs/testing.md', () => {
  it('has an example that runs', async () => {
    const files = new Map([...PAGE.matchAll(/```yaml\n# (\S+)\n(.*?)```/gs)].map(([, name = '', text = '']) => [name, text]));
    const loaded = loadTests('release.test.yaml', files.get('release.test.yaml') ?? '', {
      read: (path) => files.get(path),
      list: () => [],
    });
    if (!loaded.tests) throw new Error(JSON.stringify(loaded.diagnostics, null, 2));
    const reports = await runTests(loaded, {});
    expect(reports.map(({ name, failing }) => ({ name, failing }))).toEqual(loaded.tests.map(({ name }) => ({ name, failing: [] })));
  });

  it('has a row for each kind of expectation', () => {
    for (const key of EXPECT_KEYS) expect(PAGE).toContain(`| \`${key}\` |`);
  });
});
