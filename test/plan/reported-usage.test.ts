import { largestReport, plausibleCount, reportedUsage, usageWithout } from '../../plan/budgets/reported-usage';
import { addUsage, isUsage } from '../../plan/budgets/usage';

describe('reported usage', () => {
  test('is believed if what is needed is there', () => {
    expect(reportedUsage({ inputTokens: 3, outputTokens: 0 }, 0.25)).toEqual({
      ...{ inputTokens: 3, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: 250_000 },
    });
    expect(reportedUsage({ inputTokens: 3, outputTokens: 4, cacheReadTokens: null })).not.toHaveProperty('inPart');
  });

  test.each([undefined, null, -1, 0.5, 1e18, Number.NaN, Number.POSITIVE_INFINITY, '7', true, {}, []])(
    'is in part where a count is %p',
    (odd) => {
      expect(reportedUsage({ inputTokens: odd, outputTokens: 1 })).toMatchObject({
        inputTokens: 0,
        outputTokens: 1,
        costMicroUsd: null,
        inPart: true,
      });
      expect(reportedUsage({ inputTokens: 1, outputTokens: odd })).toMatchObject({ outputTokens: 0, inPart: true });
    },
  );

  test.each([-1, 1.5, 1e18, '7', {}])('is in part if what came from a cache is %p', (odd) => {
    expect(reportedUsage({ inputTokens: 1, outputTokens: 1, cacheReadTokens: odd })).toMatchObject({ cacheReadTokens: 0, inPart: true });
  });

  test.each([undefined, null, -1, 1e18, Number.NaN, '0.1'])('has an unknown cost if %p dollars are reported', (cost) => {
    expect(reportedUsage({ inputTokens: 1, outputTokens: 1 }, cost).costMicroUsd).toBeNull();
  });

  test('of a part that is more than the whole is absurd', () => {
    expect(reportedUsage({ inputTokens: usageWithout(5, 7), outputTokens: 1 }).inPart).toBe(true);
    expect(usageWithout(5, 2, undefined)).toBe(3);
    expect(usageWithout('5', 2)).toBe('5');
  });

  test('that comes twice is the larger of both, and stays absurd', () => {
    expect(largestReport({ outputTokens: 9 }, { inputTokens: 4, outputTokens: 1 })).toMatchObject({ inputTokens: 4, outputTokens: 9 });
    expect(largestReport({ outputTokens: 9 }, { outputTokens: -1 }).outputTokens).toBe(-1);
    expect(largestReport({ outputTokens: 'x' }, { outputTokens: 1 }).outputTokens).toBe('x');
  });

  test('that an adapter put together itself is looked at as well', () => {
    const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: 7, settles: 2 };
    expect(plausibleCount(usage)).toEqual(usage);
    expect(plausibleCount({ ...usage, outputTokens: -2, costMicroUsd: -7 })).toMatchObject({
      outputTokens: 0,
      costMicroUsd: null,
      inPart: true,
    });
  });
});

describe('a sum of usages', () => {
  const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };

  test('of unknown cost still counts what is known and what was reserved', () => {
    const sum = addUsage({ ...usage, costMicroUsd: 5 }, { ...usage, costMicroUsd: null, atMostMicroUsd: 7 });
    expect(sum).toMatchObject({ costMicroUsd: null, atMostMicroUsd: 12 });
    expect(addUsage(sum, { ...usage, costMicroUsd: 1 })).toMatchObject({ costMicroUsd: null, atMostMicroUsd: 13 });
  });

  test.each([{ inputTokens: -1 }, { inputTokens: 1.5 }, { costMicroUsd: -1 }, { costMicroUsd: 1e300 }, { atMostMicroUsd: 'x' }])(
    'is not made of %p',
    (odd) => {
      expect(isUsage({ ...usage, costMicroUsd: 1 })).toBe(true);
      expect(isUsage({ ...usage, costMicroUsd: 1, ...odd })).toBe(false);
    },
  );
});
