import { PassThrough } from 'node:stream';
import { askAtTerminal, canAsk } from '../../../cli/lobster/ask-at-terminal';
import { fakeTerminal } from '../../cli/fake-terminal';

/** A terminal at which only this text is typed. */
function typed(text: string, env: NodeJS.ProcessEnv = {}) {
  const stdin = new PassThrough();
  stdin.end(text);
  return fakeTerminal({ stdin, env });
}

test.each([
  ['y\n', 'approve'],
  ['YES\n', 'approve'],
  ['yes', 'approve'],
  ['no\n', 'reject'],
  ['yep\n', 'reject'],
  ['', 'reject'],
])('%j at an approval is: %s', async (text, kind) => {
  const terminal = typed(text);
  expect(await askAtTerminal(terminal, 'approval', { prompt: 'Go?' })).toEqual({ kind });
  expect(terminal.written.out).toBe('Go? [y/N] ');
});

test('a question takes JSON, and says so if it is none', async () => {
  const terminal = typed('{"n": 1}\n');
  expect(await askAtTerminal(terminal, 'input', { prompt: 'How many?' })).toEqual({ kind: 'respond', response: { n: 1 } });
  expect(terminal.written.out).toBe('How many?\nEnter JSON response: ');
  await expect(askAtTerminal(typed('many\n'), 'input', { prompt: '' })).rejects.toThrow('Input response must be valid JSON');
});

test.each([
  ['approve', { enum: ['approve'] }, 'approve'],
  ['"approve"', { type: 'object' }, { decision: 'approve' }],
  ['[1]', { type: 'array' }, [1]],
  ['maybe', { enum: ['approve'] }, 'maybe'],
])('a stage takes %j by the schema %j', async (text, responseSchema, response) => {
  const terminal = typed(`${text}\n`);
  expect(await askAtTerminal(terminal, 'input', { prompt: 'Well?', responseSchema }, true)).toEqual({ kind: 'respond', response });
  expect(terminal.written.out).toBe('Well?\n> ');
});

test('what was typed ahead answers the next question', async () => {
  const terminal = typed('y\nno\ny\n');
  const answers = [];
  for (let i = 0; i < 3; i++) answers.push((await askAtTerminal(terminal, 'approval', { prompt: '' })).kind);
  expect(answers).toEqual(['approve', 'reject', 'approve']);
});

test('a person who takes too long is not waited for', async () => {
  const terminal = fakeTerminal({ env: { LOBSTER_APPROVAL_INPUT_TIMEOUT_MS: '1' } });
  await expect(askAtTerminal(terminal, 'approval', { prompt: '' })).rejects.toThrow('Timed out waiting for input (1ms)');
});

test('nobody is asked if the input is no terminal', () => {
  expect(canAsk(fakeTerminal())).toBe(false);
  expect(canAsk(fakeTerminal({ stdin: Object.assign(new PassThrough(), { isTTY: true }) }))).toBe(true);
});
