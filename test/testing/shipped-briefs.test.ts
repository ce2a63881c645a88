import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { TestReader } from '../../cli/testing/read-tests';
import { runSuite } from '../../cli/testing/run-suite';

const ROOT = join(__dirname, '..', '..');
const briefs = readdirSync(join(ROOT, 'briefs')).filter((name) => name.endsWith('.md'));

test('four briefs are shipped', () => expect(briefs).toHaveLength(4));

test.each(briefs)('%s does with its script what its test says', async (name) => {
  const file = join('briefs', name.replace(/\.md$/, '.test.yaml'));
  const report = await runSuite([file], new TestReader(ROOT), { coverage: false, signal: new AbortController().signal });
  const failing = report.files.flatMap(({ tests }) => tests.filter(({ ok }) => !ok));
  const problems = report.files.map(({ problem, diagnostics }) => problem ?? diagnostics);
  expect({ ok: report.ok, failing, problems }).toEqual({ ok: true, failing: [], problems: [[]] });
});
