/**
 * The models that templates, examples and help name, and their prices in US dollars per million tokens. Models retire within months, so
 * `test/docs/models.test.ts` checks every name in shipped files against those that the installed SDK lists as current.
 */
export const EXAMPLE_MODELS = { thorough: 'claude-opus-5-5', usual: 'claude-sonnet-5-5', fast: 'claude-haiku-4-5' } as const;

export const EXAMPLE_PRICES = {
  asOf: '2026-11-01',
  usual: '{input: 2.00, output: 10.00, cache_write: 2.50, cache_read: 0.20}',
  fast: '{input: 1.00, output: 5.00, cache_write: 1.25, cache_read: 0.10}',
} as const;
