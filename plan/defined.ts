/** The fields that have a value: undefined ones are left out, because an absent optional field is not the same as an undefined one. */
export function defined<T extends object>(fields: T): Defined<T> {
  const found: Partial<T> = {};
  for (const key in fields) if (fields[key] !== undefined) found[key] = fields[key];
  return found as Defined<T>;
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The list, text or mapping, or undefined if it has no entries: `defined({ notes: unlessEmpty(notes) })`. */
export function unlessEmpty<L extends readonly unknown[] | string | object>(list: L): L | undefined {
  const entries = Array.isArray(list) || typeof list === 'string' ? list : Object.keys(list);
  return entries.length > 0 ? list : undefined;
}

/** What is made of a value; undefined if there is no value. */
export function ifDefined<T, R>(value: T | undefined, make: (value: T) => R): R | undefined {
  return value === undefined ? undefined : make(value);
}
