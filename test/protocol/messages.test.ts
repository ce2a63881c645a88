import { INTENTS } from '../../plan/agents/envelope';
import { parseJson } from '../../plan/text/json-text';
import { playToTheEnd, runScripted } from '../main-job/workshop';
import { runWhole } from '../support/whole-run';
import { CLARIFICATION, DELIVERY } from './source-examples';

/** Compares the protocol's example messages with those of the main job on a day on which a brief lacks two fields. */
const envelopes = async () => {
  const run = await runScripted('daily_quant_pipeline', 'daily-quant-missing-fields');
  await playToTheEnd(run);
  const journal = await run.journal();
  run.close();
  return journal.flatMap((entry) => (entry.kind === 'envelope' ? [entry.envelope] : []));
};
let said: Awaited<ReturnType<typeof envelopes>>;

beforeAll(async () => {
  said = await envelopes();
});

it('a report comes in an envelope like the one of the source, with a reference for its payload', () => {
  const { ref_task: _, payload, ...rest } = DELIVERY;
  const ours = said.findLast(({ from, intent }) => from === rest.from && intent === rest.intent);
  expect(ours).toMatchObject({ ...rest, payload: { ...payload, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } });
  expect(Object.keys(ours ?? {}).sort()).toEqual(Object.keys(DELIVERY).sort());
});

it('ref_task names the run and the step that a message is about', () => {
  const tasks = new Set(said.map(({ ref_task }) => ref_task.split('/')[0]));
  expect([...tasks]).toEqual(['daily_quant_pipeline-test']);
  expect(said.find(({ from, intent }) => from === DELIVERY.from && intent === 'deliver_report')?.ref_task).toContain('/bull#1');
});

it('a clarification of the source names the fields that the brief lacks, by their paths', () => {
  const asked = said.filter(({ to, intent }) => to === CLARIFICATION.to && intent === CLARIFICATION.intent);
  expect(asked.length).toBeGreaterThan(0);
  for (const { payload } of asked) {
    const missing: string[] = Object(payload)['missing_fields'];
    expect(missing.length).toBeGreaterThan(0);
    expect(CLARIFICATION.payload.missing_fields).toEqual(expect.arrayContaining(missing));
    expect(Object.keys(Object(payload))).toEqual(expect.arrayContaining(Object.keys(CLARIFICATION.payload)));
  }
});

it('every intent is one of the eight, and every payload is JSON', () => {
  expect(INTENTS).toHaveLength(8);
  for (const { intent, payload } of said) {
    expect(INTENTS).toContain(intent);
    expect(typeof payload).toBe('object');
  }
});

it('a number that somebody sends an agent reaches it as it was written', async () => {
  const run = runWhole('steps:\n  - {id: go, type: approval, prompt: "Go on?"}\n  - {id: draft, agent: w}\n', {
    script: 'replies:\n  draft: [{text: done}]\n',
  });
  await run.quiet();
  for (const content of ['1.10', '{"price": 2.50}']) run.signal('message', parseJson(`{"to": "w", "content": ${content}}`));
  run.signal('approve', { by: 'chairman' });
  await run.completes();
  const [asked] = run.requests;
  for (const written of ['json\n1.10\n', '"price": 2.50']) expect(asked?.prompt).toContain(written);
});
