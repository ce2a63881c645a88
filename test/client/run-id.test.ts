import { isRunSuffix, newRunId } from '../../client/run-id';

const AT = new Date('2026-11-21T23:30:00Z');

test('is the pipeline, the day in UTC and six characters', () => {
  expect(newRunId('daily_quant_pipeline', AT, () => 0)).toBe('daily_quant_pipeline-20261121-222222');
});

test('takes each character from one draw, within the limit it was given', () => {
  const draws: number[] = [];
  const id = newRunId('p', AT, (limit) => {
    draws.push(limit);
    return limit - 1;
  });
  expect(draws).toEqual([31, 31, 31, 31, 31, 31]);
  expect(id).toBe('p-20261121-zzzzzz');
});

test('has no characters that are mistaken for one another', () => {
  const ids = Array.from({ length: 31 }, (_, i) => newRunId('p', AT, () => i));
  expect(ids.join('')).not.toMatch(/-[^-]*[01ilo][^-]*$/);
});

test('a suffix is six lower-case letters or digits', () => {
  expect(['7f3k2a', 'abc', '7F3K2A', '7f3k2a1', '7f3k-a'].map(isRunSuffix)).toEqual([true, false, false, false, false]);
});
