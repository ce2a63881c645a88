import { checkResponse } from '../../activities/gates/check-response';
import { gate } from '../../activities/gates/render-gate';
import type { GateForm } from '../../plan/people/gate';
import type { CommandStep, InputStep } from '../../plan/steps/step';
import type { Json } from '../../plan/text/json';
import { codeOf, KEY, outputTemplate, type Workshop, workshop } from './workshop';

const SCHEMA: Json = {
  type: 'object',
  required: ['choice'],
  properties: { choice: { enum: ['a', 'b'] }, note: { type: 'string' } },
  additionalProperties: false,
};

async function inputStep(shop: Workshop, schema: Json | undefined = SCHEMA): Promise<InputStep> {
  return { id: 'ask', kind: 'input', ...(schema === undefined ? {} : { responseSchema: await shop.blob(schema) }) };
}

async function formOf(shop: Workshop, inputs = {}) {
  const rendered = await gate(shop.toolbox, shop.call('ask#1~1/gate'), { run: KEY.run, inputs });
  return { rendered, form: JSON.parse((await shop.artifacts.get(rendered.form!)).toString()) as GateForm };
}

describe('an input gate', () => {
  test('has a form with all that a program needs to put the question', async () => {
    const shop = workshop();
    const draft = await shop.artifacts.put('{"lines": [1, 2]}', { mediaType: 'application/json' });
    const asked = {
      prompt: ['Which of ', ...outputTemplate('draft', 'lines')],
      defaults: { choice: 'a' },
      subject: outputTemplate('draft', 'lines'),
    };
    await shop.open([{ ...(await inputStep(shop)), ...asked }]);
    const { form, rendered } = await formOf(shop, { draft });
    expect(form).toEqual({ prompt: rendered.question, responseSchema: SCHEMA, defaults: { choice: 'a' }, subject: [1, 2] });
    expect((await shop.artifacts.get(rendered.document)).toString()).toContain('"additionalProperties": false');
  });

  test('asks even if the author wrote no question', async () => {
    const shop = workshop();
    await shop.open([await inputStep(shop)]);
    const { form, rendered } = await formOf(shop);
    expect([form.prompt, rendered.question]).toEqual([rendered.question, expect.stringContaining('"ask"')]);
  });
});

describe('the subject of an input gate', () => {
  async function ask(subject: string, reader: Pick<CommandStep, 'when' | 'records'>) {
    const shop = workshop();
    const after: CommandStep = { id: 'after', kind: 'command', command: { shell: ['true'] }, ...reader };
    await shop.open([{ ...(await inputStep(shop)), subject: [subject] }, after]);
    return await formOf(shop);
  }
  const large = 'x'.repeat(64 * 1024);

  test('travels with the run up to 64 KiB', async () => {
    expect((await ask('small', {})).rendered.subject).toBe('small');
  });

  test('stays in the form if it is larger and no step reads it', async () => {
    const { rendered, form } = await ask(large, { records: [{ step: 'other', field: 'subject' }] });
    expect([rendered.subject, form.subject]).toEqual([undefined, large]);
  });

  test.each<Pick<CommandStep, 'when' | 'records'>>([
    { records: [{ step: 'ask', field: 'subject' }] },
    { when: { kind: 'record', step: 'ask', field: 'subject', path: [] } },
  ])('fails before anybody is asked where it is larger and a step reads it: %j', async (reader) => {
    expect(await codeOf(ask(large, reader))).toBe('values.too-large');
  });
});

describe('an answer to an input gate', () => {
  async function problems(shop: Workshop, response: Json, form?: GateForm) {
    const ref = form && (await shop.artifacts.put(JSON.stringify(form), { mediaType: 'application/json' }));
    const call = shop.call('ask#1~1/answer-1');
    return (await checkResponse(shop.toolbox, call, { response, ...(ref ? { form: ref } : {}) })).problems;
  }

  test.each<[Json, number]>([
    [{ choice: 'a' }, 0],
    [{ choice: 'c' }, 1],
    [{ note: 7, more: 1 }, 3],
    ['a', 1],
  ])('is checked against the step’s schema, with every problem in words: %j', async (response, count) => {
    const shop = workshop();
    await shop.open([await inputStep(shop)]);
    expect(await problems(shop, response)).toHaveLength(count);
  });

  test('is checked against its form, if a stage asks', async () => {
    const shop = workshop();
    await shop.open([{ id: 'ask', kind: 'stages', stages: [] }]);
    expect(await problems(shop, 'no', { prompt: '?', responseSchema: { type: 'number' } })).toHaveLength(1);
    expect(await problems(shop, 7, { prompt: '?', responseSchema: { type: 'number' } })).toEqual([]);
    expect(await problems(shop, 'anything', { prompt: '?' })).toEqual([]);
  });

  test('is any JSON if there is no schema', async () => {
    const shop = workshop();
    await shop.open([{ id: 'ask', kind: 'input' }]);
    expect(await problems(shop, [null])).toEqual([]);
  });

  test('fails if the schema is none', async () => {
    const shop = workshop();
    await shop.open([await inputStep(shop, { type: 'nonsense' })]);
    expect(await codeOf(problems(shop, 1))).toBe('pipeline.invalid');
  });
});
