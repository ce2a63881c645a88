/** The fields that have a value: what is undefined is left out, because an optional field that is absent is not the same as one that is undefined. */
export function defined<T extends object>(fields: T): Defined<T> {
  const found: Partial<T> = {};
  for (const key in fields) if (fields[key] !== undefined) found[key] = fields[key];
  return found as Defined<T>;
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };
