import { gateAt } from '../../cli/commands/decide';
import { answerLines } from '../../cli/rendering/answer';
import { renderGate, renderInboxGate } from '../../cli/rendering/gate';
import { readResponse, sampleResponse } from '../../cli/response';
import type { GateForm } from '../../plan/people/gate';
import { fakeTerminal } from './fake-terminal';
import { gateView } from './views';

const { colors } = fakeTerminal();
const SERVER = { address: '127.0.0.1:7233', namespace: 'default' };
const FORM: GateForm = {
  prompt: 'How large?',
  responseSchema: { type: 'object', required: ['size'], properties: { size: { type: 'integer', minimum: 1 }, note: { type: 'string' } } },
  subject: { market: 'steel' },
};
const INPUT = gateView('size', { kind: 'input', question: 'How large?', choices: ['respond'] });

describe('an input gate', () => {
  test('shows what it asks, what it is about, its schema and what it offers', () => {
    expect(renderGate(INPUT, colors, () => [], { ...FORM, defaults: { size: 3 } })).toMatchInlineSnapshot(`
"? size waits for an answer
  How large?
  about: {"market":"steel"}
  schema: {"type":"object","required":["size"],"properties":{"size":{"type":"integer","minimum":1},"note":{"type":"string"}}}
  offers: {"size":3}
"
`);
  });

  test('is answered by respond, with something of the schema’s shape to begin with', () => {
    const [only, second] = answerLines('r', INPUT, false, SERVER, FORM);
    expect(second).toBeUndefined();
    expect(only?.thermidor).toBe(`thermidor respond r size --response '{"size":1}' --by YOU`);
    expect(only?.temporal).toContain(`--name respond --input '{"step":"size","by":"YOU","response":{"size":1}}'`);
  });

  test('what it offers comes before what its schema would allow', () => {
    expect(sampleResponse({ ...FORM, defaults: { size: 3 } })).toEqual({ size: 3 });
    expect(sampleResponse(undefined)).toBe('YOUR ANSWER');
  });

  test.each([
    [{ enum: ['a', 'b'] }, 'a'],
    [{ type: ['integer', 'null'] }, 0],
    [{ properties: { a: { type: 'boolean' }, b: { type: 'array' } } }, { a: true, b: [] }],
    [{ const: 7 }, 7],
    [true, '…'],
  ])('of %j, %j is a beginning', (responseSchema, sample) => {
    expect(sampleResponse({ responseSchema })).toEqual(sample);
  });
});

describe('a response', () => {
  test('is JSON, and text if the schema takes text', () => {
    expect(readResponse('{"size": 2}', FORM.responseSchema)).toEqual({ value: { size: 2 } });
    expect(readResponse('as it is', { type: 'string' })).toEqual({ value: 'as it is' });
    expect(readResponse('as it is', undefined)).toEqual({ value: 'as it is' });
  });

  test('is refused with everything that is wrong with it', () => {
    const read = readResponse('{"size": 0, "note": 1}', FORM.responseSchema);
    expect('problems' in read && read.problems).toHaveLength(2);
    expect(readResponse('{}', FORM.responseSchema)).toEqual({ problems: ['missing field size'] });
  });

  test('that is not JSON says so, instead of what its text is not', () => {
    const read = readResponse('{size: 2}', FORM.responseSchema);
    expect('problems' in read && read.problems[0]).toContain('not JSON');
  });
});

test('a gate if several must approve says who has', () => {
  const gate = gateView('allow', { approvers: ['ann', 'bob', 'eve'], quorum: 2, approvedBy: ['ann'] });
  expect(renderGate(gate, colors, () => [])).toContain('approved by: ann (1 of 2)');
  expect(renderInboxGate('r', { ...gate, approvedBy: [] }, true, SERVER, colors)).toContain('approved by: nobody yet (0 of 2)');
});

test('a question in Markdown has its heading and first paragraph in a list', () => {
  const lineOf = (question: string) => renderInboxGate('r', gateView('ask', { question }), true, SERVER, colors).split('\n')[1];
  expect(lineOf('# The judges disagree\n\ncritic: pass\nand fail\n\n# The sub-task\n\n**Write**')).toBe(
    '  The judges disagree: critic: pass and fail',
  );
  expect(lineOf('## Confirm\n# The plan\n\n1. One')).toBe('  Confirm');
  expect(lineOf('#5 is late\nskip it?')).toBe('  #5 is late skip it?');
});

test('an escalation in a list has a line for each word of the chain, even if the question is cut before it', () => {
  const said = [{ agent: 'ceo', said: 'advises to let it pass: fine', advice: 'pass' as const }];
  const gate = gateView('review', { kind: 'escalation', question: `It blocks: ${'x'.repeat(480)}`, said });
  const lines = renderInboxGate('r', gate, true, SERVER, colors).split('\n');
  expect(lines[1]).toMatch(/^ {2}It blocks: x+$/);
  expect(lines[2]).toBe('  ceo advises to let it pass: fine');
});

test('an approval after a command shows the output of the command', () => {
  const form = {
    prompt: 'Send?',
    items: Array.from({ length: 12 }, (_, i) => ({ mail: i })),
    preview: 'To: all\nHello',
    requiredApprover: 'ann',
  };
  const text = renderGate(gateView('send'), colors, () => [], form);
  expect(text).toContain('- {"mail":9}');
  expect(text).not.toContain('- {"mail":10}');
  expect(text).toContain('… and 2 more');
  expect(text).toContain('  To: all\n  Hello\n');
  expect(text).toContain('must decide: ann');
});

test('a long preview is shown in full where the question is put, and in brief in the inbox', () => {
  const form = { prompt: 'Commit?', preview: Array.from({ length: 30 }, (_, line) => `+ line ${line}`).join('\n') };
  expect(renderGate(gateView('approve'), colors, () => [], form)).toContain('+ line 29');
  const brief = renderInboxGate('r', gateView('approve'), true, SERVER, colors, form);
  expect(brief).toContain('+ line 11\n  … and 18 more lines');
  expect(brief).not.toContain('+ line 12');
});

describe('which gate is meant', () => {
  const gates = [gateView('each[3]/ask'), gateView('each[4]/ask'), gateView('ship#2/allow'), gateView('review#2')];

  test('by its address, or by its id if only one has it', () => {
    expect(gateAt(gates, 'each[4]/ask')?.step).toBe('each[4]/ask');
    expect(gateAt(gates, 'allow')?.step).toBe('ship#2/allow');
    expect(gateAt(gates, 'review')?.step).toBe('review#2');
    expect(gateAt(gates, 'ask')).toBeUndefined();
  });

  test('without a name, the only one', () => {
    expect(gateAt([INPUT], undefined)).toBe(INPUT);
    expect(gateAt(gates, undefined)).toBeUndefined();
  });
});
