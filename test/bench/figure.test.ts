import { figureOf, isMissed, median } from '../../bench/figure';

const wall = { bench: 'overhead', case: 'sequence-100', metric: 'wall', unit: 's' };

describe('a figure', () => {
  it('has its fields in the order that collectors were promised', () => {
    const figure = figureOf({ ...wall, ours: 14.1, reference: 13.6, aim: 1.1 });
    expect(JSON.stringify(figure)).toBe(
      '{"bench":"overhead","case":"sequence-100","metric":"wall","ours":14.1,"reference":13.6,"unit":"s","ratio":1.04,"aim":1.1}',
    );
  });

  it('takes its ratio from what was measured, not from what is printed', () => {
    expect(figureOf({ ...wall, ours: 1.23456, reference: 1.00004, aim: null })).toMatchObject({ ours: 1.235, reference: 1, ratio: 1.23 });
  });

  it('keeps whole numbers of any size whole', () => {
    expect(figureOf({ ...wall, ours: 1_042_644, reference: 803_193, aim: null })).toMatchObject({ ours: 1_042_644, reference: 803_193 });
  });
});

describe('an aim', () => {
  it.each([
    { ratio: 1.1, aim: 1.1, missed: false },
    { ratio: 1.11, aim: 1.1, missed: true },
    { ratio: 0.9, aim: 1, missed: false },
    { ratio: 7, aim: null, missed: false },
    { ratio: Number.NaN, aim: 1, missed: true },
  ])('of $aim with a ratio of $ratio: missed is $missed', ({ ratio, aim, missed }) => {
    expect(isMissed({ ratio, aim })).toBe(missed);
  });

  it('is compared to the hundredth', () => {
    expect(isMissed(figureOf({ ...wall, ours: 6017, reference: 6000, aim: 1 }))).toBe(false);
    expect(isMissed(figureOf({ ...wall, ours: 6031, reference: 6000, aim: 1 }))).toBe(true);
  });
});

describe('the median', () => {
  it('is the middle value, whatever the order', () => {
    expect(median([30, 1, 2])).toBe(2);
  });

  it('is the mean of the middle two of an even number', () => {
    expect(median([10, 1, 2, 4])).toBe(3);
  });

  it('does not exist of nothing', () => {
    expect(() => median([])).toThrow(RangeError);
  });
});
