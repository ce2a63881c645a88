import { type AskedFor, checkAnswer } from '../../../cli/lobster/answer-check';
import type { LobsterAnswer } from '../../../cli/lobster/arguments';
import { approvalRequest, envelopeLimit, formOf, inputRequest } from '../../../cli/lobster/gate-request';
import type { GateForm } from '../../../plan/people/gate';

const LIMITS = { maxBytes: 512_000, step: 'q', alwaysSubject: true };

test('an approval has its keys in Lobster’s order, and only those that say something', () => {
  const form = { prompt: 'Go?', items: [1], preview: 'p', initiatedBy: 'ann', requiredApprover: 'bob', requireDifferentApprover: true };
  const token = { resumeToken: 't', approvalId: '0123abcd' };
  expect(Object.keys(approvalRequest(form, token))).toEqual([
    'type',
    'prompt',
    'items',
    'preview',
    'initiatedBy',
    'requiredApprover',
    'requireDifferentApprover',
    'resumeToken',
    'approvalId',
  ]);
  expect(approvalRequest({ prompt: 'Go?' }, token)).toEqual({ type: 'approval_request', prompt: 'Go?', items: [], ...token });
});

test('a gate without its form still has its question', () => {
  expect(formOf({ question: 'Go?' }, undefined)).toEqual({ prompt: 'Go?' });
});

test('an input step says what it is about, be it nothing; a stage only if it knows', () => {
  const form = { prompt: 'How many?', responseSchema: { type: 'integer' } };
  expect(inputRequest(form, 't', LIMITS)).toEqual({ type: 'input_request', ...form, subject: null, resumeToken: 't' });
  expect(inputRequest(form, 't', { ...LIMITS, alwaysSubject: false })).not.toHaveProperty('subject');
});

test('a subject that is too large is cut, then left out, and the question itself is refused', () => {
  const form = { prompt: 'p', responseSchema: {}, subject: 'x'.repeat(200_000) };
  const cut = inputRequest(form, 't', { ...LIMITS, maxBytes: 100_000 }).subject;
  expect(cut).toMatchObject({ truncated: true, bytes: 200_002, preview: expect.stringMatching(/^"x{1999}$/) });
  expect(inputRequest(form, 't', { ...LIMITS, maxBytes: 1024 }).subject).toMatchObject({
    truncated: true,
    preview: expect.stringMatching(/^\[/),
  });
  expect(() => inputRequest({ ...form, prompt: 'p'.repeat(2000) }, 't', { ...LIMITS, maxBytes: 1024 })).toThrow(/1024 bytes/);
});

test.each([
  [{}, 512_000],
  [{ LOBSTER_MAX_TOOL_ENVELOPE_BYTES: '4096.7' }, 4096],
  [{ LOBSTER_MAX_TOOL_ENVELOPE_BYTES: '12' }, 512_000],
  [{ LOBSTER_MAX_TOOL_ENVELOPE_BYTES: 'many' }, 512_000],
])('the envelope’s limit by the environment %j', (env, bytes) => {
  expect(envelopeLimit(env)).toBe(bytes);
});

type Asked = AskedFor['paused'];
const approval: Asked = { asks: 'approval', step: 'ship' };
const input: Asked = { asks: 'input', step: 'q' };

test.each<[string, LobsterAnswer, Asked, Partial<GateForm>, string | undefined, RegExp]>([
  ['a response to an approval', { kind: 'respond', response: 1 }, approval, {}, undefined, /--approve yes\|no for approval/],
  ['an approval of a question', { kind: 'approve' }, input, {}, undefined, /--response-json for input/],
  ['nobody', { kind: 'approve' }, approval, { requiredApprover: 'bob' }, undefined, /set LOBSTER_APPROVAL_APPROVED_BY/],
  ['another person', { kind: 'approve' }, approval, { requiredApprover: 'bob' }, 'ann', /requires approver 'bob', got 'ann'/],
  ['who asked', { kind: 'approve' }, approval, { initiatedBy: 'ann', requireDifferentApprover: true }, 'ann', /other than 'ann'/],
  [
    'what breaks the schema',
    { kind: 'respond', response: {} },
    input,
    { responseSchema: { required: ['n'] } },
    undefined,
    /at \/: must have/,
  ],
  [
    'what breaks a schema of draft 2020-12',
    { kind: 'respond', response: { n: 1, more: 2 } },
    input,
    {
      responseSchema: { $schema: 'https://json-schema.org/draft/2020-12/schema', properties: { n: {} }, unevaluatedProperties: false },
    },
    undefined,
    /at \/: must NOT have unevaluated/,
  ],
  [
    'an answer to a schema that is none',
    { kind: 'respond', response: 1 },
    input,
    { responseSchema: { type: 'strange' } },
    undefined,
    /schema is invalid/,
  ],
])('%s is a parse error', (_what, answer, paused, form, by, message) => {
  const check = (): void => checkAnswer(answer, { kind: 'workflow-file', paused, form: { prompt: 'p', ...form }, by });
  expect(check).toThrow(message);
  expect(check).toThrow(expect.objectContaining({ type: 'parse_error' }));
});

test.each<[LobsterAnswer, Asked, Partial<GateForm>, string | undefined]>([
  [{ kind: 'approve' }, approval, { requiredApprover: 'bob' }, 'bob'],
  [{ kind: 'reject' }, approval, { requiredApprover: 'bob' }, undefined],
  [{ kind: 'cancel' }, input, {}, undefined],
  [{ kind: 'respond', response: { n: 1 } }, input, { responseSchema: { required: ['n'], format: 'unheard-of' } }, undefined],
])('a good answer passes: %j', (answer, paused, form, by) => {
  expect(() => checkAnswer(answer, { kind: 'workflow-file', paused, form: { prompt: 'p', ...form }, by })).not.toThrow();
});
