import { costOf, type PriceTable, priceOf } from '../../plan/budgets/price';

const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const table: PriceTable = {
  models: {
    'claude-sonnet-4-5': { input: 3, output: 15, cacheWrite: 3.75, cacheRead: 0.3 },
    'claude-sonnet-4-5-20250929': { input: 4, output: 16 },
    'claude-opus': { input: 5, output: 25 },
    tenth: { input: 0.1, output: 0.07 },
  },
};

describe('the price of a model', () => {
  it('is that of exactly its name, if there is one', () => {
    expect(priceOf('claude-sonnet-4-5-20250929', table)).toMatchObject({ input: 4 });
  });

  it.each(['claude-opus-20260101', 'claude-opus-2026-01-01', 'claude-opus@20260101'])(
    'is that of the name without a date at its end: %s',
    (name) => {
      expect(priceOf(name, table)).toMatchObject({ input: 5 });
    },
  );

  it.each(['claude-opus-4', 'claude-opus-2026', 'claude-opus-latest', 'x/claude-opus', 'claude', '', 'toString', '__proto__'])(
    'is never guessed from a name that is only like one: %s',
    (name) => {
      expect(priceOf(name, table)).toBeUndefined();
      expect(costOf({ ...usage, inputTokens: 5 }, name, table)).toBeNull();
    },
  );

  it('is unknown if nobody names the model', () => {
    expect(costOf({ ...usage, inputTokens: 5 }, undefined, table)).toBeNull();
  });
});

describe('the cost of a reply', () => {
  it('counts input, output, cache writes and cache reads at a price each', () => {
    const used = { inputTokens: 1000, outputTokens: 100, cacheReadTokens: 10_000, cacheWriteTokens: 400 };
    expect(costOf(used, 'claude-sonnet-4-5', table)).toBe(3000 + 1500 + 3000 + 1500);
  });

  it('counts the cache as input if it has no price of its own', () => {
    expect(costOf({ ...usage, cacheReadTokens: 2, cacheWriteTokens: 3 }, 'claude-opus', table)).toBe(25);
  });

  it('is a whole number of millionths, rounded up', () => {
    expect(costOf({ ...usage, inputTokens: 1 }, 'tenth', table)).toBe(1);
    expect(costOf({ ...usage, inputTokens: 11 }, 'tenth', table)).toBe(2);
  });

  it('is exact where floating point is not', () => {
    expect(costOf({ ...usage, outputTokens: 100 }, 'tenth', table)).toBe(7);
    expect(costOf({ ...usage, inputTokens: 30 }, 'tenth', table)).toBe(3);
  });

  it('is nothing for nothing, and not unknown', () => {
    expect(costOf(usage, 'tenth', table)).toBe(0);
  });
});
