import { failureOf } from '../workshop';
import { run, stage } from './pipe';

const ITEMS = [{ a: 1 }, { a: 2 }];

describe('approve', () => {
  test('halts with its prompt and the items, whether it emits or not', async () => {
    const form = { prompt: 'Send?', items: ITEMS };
    for (const call of [stage('approve', { prompt: 'Send?' }), stage('approve', { prompt: 'Send?', emit: true })]) {
      const end = await run(ITEMS, [stage('head'), call, stage('json')]);
      expect(end).toEqual({ kind: 'halted', stage: 1, gate: 'approval', items: ITEMS, rendered: '', form });
    }
  });

  test.each<[Record<string, string | true>, unknown[], string | undefined]>([
    [{}, ITEMS, undefined],
    [{ 'preview-from-stdin': true }, [1, 2, 3, 4, 5, 6], '[\n  1,\n  2,\n  3,\n  4,\n  5\n]'],
    [{ 'preview-from-stdin': true, limit: '1' }, ITEMS, '[\n  {\n    "a": 1\n  }\n]'],
    [{ 'preview-from-stdin': true, limit: '2' }, ['x', 'y', 'z'], 'x\ny'],
    [{ 'preview-from-stdin': true, limit: '0' }, ITEMS, undefined],
    [{ 'preview-from-stdin': true, limit: 'many' }, ['x'], 'x'],
  ])('shows the first items as preview: %p', async (flags, items, preview) => {
    const end = await run(items as never, stage('approve', flags));
    expect(end).toMatchObject({ form: { prompt: 'Approve?', items } });
    expect(end.kind === 'halted' && end.form.preview).toBe(preview);
  });
});

describe('ask', () => {
  test('halts with a prompt and the schema of a decision if it gives none', async () => {
    const end = await run(ITEMS, stage('ask'));
    expect(end).toMatchObject({ kind: 'halted', stage: 0, gate: 'input', items: ITEMS });
    expect(end.kind === 'halted' && end.form).toMatchObject({
      prompt: 'Input required',
      responseSchema: { required: ['decision'], properties: { decision: { enum: ['approve', 'reject', 'redraft'] } } },
    });
    expect(end.kind === 'halted' && end.form.subject).toBeUndefined();
  });

  test('takes its own schema, and the items as subject', async () => {
    const schema = { type: 'object', required: ['n'], properties: { n: { type: 'number' } } };
    const call = stage('ask', { prompt: 'How many?', schema: JSON.stringify(schema), 'subject-from-stdin': true });
    const form = { prompt: 'How many?', responseSchema: schema, subject: { text: 'draft\n{"a":1}' } };
    expect(await run(['draft', { a: 1 }], call)).toMatchObject({ form });
    const long = 'x'.repeat(300_000);
    expect(await run([long], call)).toMatchObject({ form: { subject: { text: long } } });
  });

  test.each([
    ['{', 'ask --schema must be valid JSON'],
    ['[1]', 'ask --schema must decode to a JSON schema object'],
    ['{"type": "zzz"}', 'ask response schema is invalid'],
  ])('fails where its schema is none: %s', async (schema, message) => {
    const failure = await failureOf(run([], stage('ask', { schema })));
    expect([failure.code, failure.message.startsWith(message)]).toEqual(['stage.failed', true]);
  });
});
