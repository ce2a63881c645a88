import type { ModelPrice, PriceTable } from '../../plan/budgets/price';
import { defined } from '../../plan/defined';
import { setField } from '../../plan/text/json';
import { mapping, type Reader, refuse, refuseKey, settingFields } from './fields';

/** `prices: {as_of, models: {name: {input, output, cache_write, cache_read}}}`, in US dollars per million tokens. */
export const prices: Reader<PriceTable> = (value, name, problems) => {
  const fields = settingFields(value, name, ['as_of', 'models'], problems);
  if (!fields) return undefined;
  const [asOf, models] = [fields.take('as_of', day), fields.take('models', priceList)];
  return { ...defined({ asOf }), models: models ?? {} };
};

const priceList: Reader<Record<string, ModelPrice>> = (value, name, problems) => {
  const found: Record<string, ModelPrice> = {};
  for (const [model, content] of Object.entries(mapping(value, name, problems) ?? {})) {
    const path = `${name}.${model}`;
    const before = problems.length;
    const fields = settingFields(content, path, ['input', 'output', 'cache_write', 'cache_read'], problems);
    const [input, output] = [fields?.take('input', dollars), fields?.take('output', dollars)];
    const [cacheWrite, cacheRead] = [fields?.take('cache_write', dollars), fields?.take('cache_read', dollars)];
    if (input === undefined || output === undefined) {
      if (problems.length === before) refuseKey(problems, path, `"${path}" needs "input" and "output"`);
      continue;
    }
    const price: ModelPrice = { input, output };
    if (cacheWrite !== undefined) price.cacheWrite = cacheWrite;
    if (cacheRead !== undefined) price.cacheRead = cacheRead;
    setField(found, model, price);
  }
  return found;
};

const dollars: Reader<number> = (value, name, problems) => {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  refuse(problems, name, `"${name}" must be dollars per million tokens, not below 0`);
  return undefined;
};

/** YAML reads it as a date. */
const day: Reader<string> = (value, name, problems) => {
  const text = value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString().slice(0, 10) : value;
  if (typeof text === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  refuse(problems, name, `"${name}" must be a day such as 2026-11-01`);
  return undefined;
};
