import { shownLength } from '../../../activities/adapters/model/condense';
import { canBeCondensed, contextWindowOf, summaryNote } from '../../../activities/adapters/model/context';
import type { Turn } from '../../../records/transcripts/turn';

/** The parts of a transcript that a model is shown. */
const agent = { id: 'analyst', title: 'The analyst', role: 'You watch prices.\nYou are exact.\n\nAnd more.' };
const CALL = { id: 'c', tool: 'read_file', args: {} };
const user = (text: string): Turn => ({ role: 'user', text });
const says = (text: string): Turn => ({ role: 'assistant', text });
const calls: Turn = { role: 'assistant', text: '', calls: [CALL] };
const result: Turn = { role: 'tool', text: 'result', call: CALL };
const summary = (text: string, ask = 1): Turn => ({ role: 'assistant', text, stop: 'condensed', message: summaryNote(ask, 'price') });

test('is the transcript itself, without what is there only for its cost', () => {
  expect(contextWindowOf([user('task'), { ...says(''), stop: 'broken' }, calls, result, says('42')], agent)).toEqual([
    user('task'),
    calls,
    result,
    says('42'),
  ]);
});

test('a longer transcript begins as the shorter one', () => {
  const whole = [user('task'), calls, result, summary('s'), calls, { ...result }, says('bad'), user('repair'), says('42')];
  for (let length = 5; length < whole.length; length++) {
    const shorter = contextWindowOf(whole.slice(0, length), agent);
    if (shorter.at(-1)?.calls) continue;
    expect(contextWindowOf(whole, agent).slice(0, shorter.length)).toEqual(shorter);
  }
});

test('a call that a failed request left open is reported as not made, once another follows', () => {
  expect(contextWindowOf([user('task'), calls], agent)).toEqual([user('task'), calls]);
  expect(contextWindowOf([user('task'), calls, user('next')], agent)).toMatchObject([
    {},
    calls,
    { role: 'tool', call: CALL, refused: true },
    user('next'),
  ]);
});

test('results are in the order of their calls', () => {
  const other = { ...CALL, id: 'd' };
  const both: Turn = { role: 'assistant', text: '', calls: [CALL, other] };
  const second: Turn = { ...result, call: other };
  expect(contextWindowOf([user('task'), both, second, result], agent)).toEqual([user('task'), both, result, second]);
});

test('results follow their calls, also of a program that reported the next call before', () => {
  const other = { ...CALL, id: 'd' };
  const next: Turn = { ...calls, calls: [other] };
  const second: Turn = { ...result, call: other };
  expect(contextWindowOf([user('task'), calls, next, result, second, user('next')], agent)).toEqual([
    ...[user('task'), calls, result, next, second],
    user('next'),
  ]);
});

describe('condensed', () => {
  test('begins with who the agent is, its task in full and the summary, acknowledged', () => {
    const context = contextWindowOf([user('the task\nin full'), calls, result, summary('what happened')], agent);
    expect(context.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    const opening = context[0]?.text ?? '';
    for (const part of [
      '<identity>',
      'The analyst (analyst)',
      'You watch prices. You are exact.',
      'step: price',
      'the task\nin full',
      'what happened',
    ]) {
      expect(opening).toContain(part);
    }
    expect(context[1]?.text).toContain('The analyst');
  });

  test('ends with the request that is under way if that is not the task', () => {
    const context = contextWindowOf([user('task'), says('bad'), user('repair it'), summary('s', 2)], agent);
    expect(context[0]?.text).toContain('task');
    expect(context.at(-1)).toEqual(user('repair it'));
  });

  test('takes the task of the step that is under way, not of the first in a context of a whole run', () => {
    const context = contextWindowOf([user('first step'), says('done'), user('second step'), calls, result, summary('s', 1)], agent);
    expect(context[0]?.text).toContain('second step');
    expect(context[0]?.text).not.toContain('first step');
  });

  test('twice is based on the second summary alone, with the same identity', () => {
    const context = contextWindowOf([user('task'), calls, result, summary('one'), calls, result, summary('two'), says('42')], agent);
    expect(context).toHaveLength(4);
    expect(context[0]?.text).toContain('<identity>');
    expect(context[0]?.text).toContain('two');
    expect(context[0]?.text).not.toContain('one</summary>');
  });
});

test.each<[string, Turn[], boolean]>([
  ['the task alone', [user('task')], false],
  ['the task and a reply that broke off', [user('task'), { ...says(''), stop: 'broken' }], false],
  ['a call and its result', [user('task'), calls, result], true],
  ['a summary just made', [user('task'), calls, result, summary('s')], false],
  ['a summary and more', [user('task'), summary('s'), calls, result], true],
])('can be condensed: %s', (_what, transcript, can) => {
  expect(canBeCondensed(transcript)).toBe(can);
});

test('the shown length grows with the context', () => {
  expect(shownLength([user('task'), calls, result])).toBeGreaterThan(shownLength([user('task')]));
});
