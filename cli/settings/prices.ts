import type { ModelPrice, PriceTable } from '../../plan/budgets/price';
import { defined } from '../../plan/defined';
import { must, named, type Reader, record, refuseKey } from './fields';

/** `prices: {as_of, models: {name: {input, output, cache_write, cache_read}}}`, in US dollars per million tokens. */
export const prices: Reader<PriceTable> = (value, name, problems) => {
  const read = record({ as_of: day, models: named(price) })(value, name, problems);
  return read && { ...defined({ asOf: read.as_of }), models: read.models ?? {} };
};

const price: Reader<ModelPrice> = (value, path, problems) => {
  const before = problems.length;
  const { input, output, cache_write: cacheWrite, cache_read: cacheRead } = PRICE(value, path, problems) ?? {};
  if (input !== undefined && output !== undefined) return { input, output, ...defined({ cacheWrite, cacheRead }) };
  if (problems.length === before) refuseKey(problems, path, `"${path}" needs "input" and "output"`);
  return undefined;
};

const dollars = must('dollars per million tokens, not below 0', (value) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined,
);

const PRICE = record({ input: dollars, output: dollars, cache_write: dollars, cache_read: dollars });

/** YAML reads it as a date. */
const day = must('a day such as 2026-11-01', (value) => {
  const text = value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString().slice(0, 10) : value;
  return typeof text === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
});
