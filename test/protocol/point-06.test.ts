import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runWhole } from '../support/whole-run';

/** test/programs/schemas.test.ts tests the schemas field by field; these tests show that a run obeys them. */
const SCHEMAS = join(__dirname, '../../pipelines/schemas');
const NAMES = [
  ...['Finance_Research_Brief', 'Market_Structure_Report', 'Bullish_Brief', 'Bearish_Brief', 'Strategy_Thesis', 'Review_Report'],
  'Data_Analysis_Report',
];
const DATED_AND_MARKETED = NAMES.slice(0, 5);

const schemaOf = (name: string) => readFileSync(join(SCHEMAS, `${name}.schema.json`), 'utf8');

describe('point 6: schemas', () => {
  it.each(NAMES)('a report that is no %s is asked for again by what is missing, and then refused', async (name) => {
    const judges = name === 'Review_Report' ? ', of: work' : '';
    const run = runWhole(`steps:\n  - {id: work, run: "true"}\n  - {id: report, agent: w, output: ${name}.json${judges}}\n`, {
      files: { [`schemas/${name}.schema.json`]: schemaOf(name) },
      script: 'replies:\n  report: [{json: {}}]\n',
    });
    await run.quiet();
    await expect(run.result).rejects.toMatchObject({ code: 'reply.invalid' });
    const repair = run.requests[1]?.prompt ?? '';
    expect(repair).toContain('missing_fields');
    expect(repair).toContain('"date"');
    if (DATED_AND_MARKETED.includes(name)) expect(repair).toContain('"market"');
    else expect(repair).not.toContain('"market"');
  });
});
