import { shownContent } from '../../cli/session/shown-content';
import { IR_VERSION } from '../../plan/plan';
import { openRecords } from '../../records/open-records';
import { RUN_RECORD } from '../../records/runs/run-record';
import { scratchFolder } from '../activities/workshop';

const SECRET = 'abc+def/ghi=JKL';
const RUN = { run: 'leak', firstRunId: 'first' };

async function printed(args = { tok: 'secret://env/TOK' }) {
  const records = openRecords({ stateDir: scratchFolder() });
  const plan = { irVersion: IR_VERSION, name: 'leak', args: { tok: { secret: true } }, block: { order: 'sequence', steps: [] } };
  const ref = await records.control.put('plan', JSON.stringify(plan), 'leak.plan.json');
  await records.ledger.putIfAbsent({ workflowId: RUN.run, run: RUN.firstRunId }, RUN_RECORD, { plan: ref, args, startedAt: '' } as never);
  const text = await records.artifacts.put(`token=${SECRET}`, { mediaType: 'text/plain' });
  return { records, text, json: await records.artifacts.put(JSON.stringify({ a: [SECRET] }), { mediaType: 'application/json' }) };
}

test('the output of a step is shown without the secrets of its run', async () => {
  const { records, text, json } = await printed();
  const { read, missing } = await shownContent(records, RUN, { TOK: SECRET });
  expect([await read(text), await read(json), missing]).toEqual(['token=***', { a: ['***'] }, []]);
});

test('a secret that nobody knows here is named', async () => {
  const { records, text } = await printed();
  const { read, missing } = await shownContent(records, RUN, {});
  expect([await read(text), missing]).toEqual([`token=${SECRET}`, ['secret://env/TOK']]);
});

test('of a run whose record is elsewhere, what the own environment holds is masked', async () => {
  const { records, text } = await printed();
  const { read, missing } = await shownContent(records, { ...RUN, firstRunId: 'other' }, { MY_TOKEN: SECRET });
  expect([await read(text), missing]).toEqual(['token=***', []]);
});
