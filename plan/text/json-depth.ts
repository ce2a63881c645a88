import { isJsonObject, type Json } from './json';

/** More levels than anything real has, and few enough for code that goes through a value level by level. */
const MOST_LEVELS = 200;

/** Whether a value that somebody else wrote is nested too deep to go through: `[[[[…` is quickly written. */
export function isTooDeep(value: Json, left = MOST_LEVELS): boolean {
  if (!Array.isArray(value) && !isJsonObject(value)) return false;
  return left === 0 || Object.values(value).some((item) => isTooDeep(item, left - 1));
}

/** The value, or a text in its place that says why it is not there. */
export function unlessTooDeep(value: Json): Json {
  return isTooDeep(value) ? `(left out: it nests more than ${MOST_LEVELS} levels deep)` : value;
}
