/** An object of which each property is made once, when it is first asked for. */
export function lazily<T extends object>(makers: { readonly [K in keyof T]: () => T[K] }): T {
  const made = {} as T;
  for (const key of Object.keys(makers) as (keyof T)[]) {
    let value: T[keyof T] | undefined;
    Object.defineProperty(made, key, { get: () => (value ??= makers[key]()), enumerable: true });
  }
  return made;
}

/** The same object with some of its properties made anew. */
export function lazilyOver<T extends object>(base: T, makers: { readonly [K in keyof T]?: () => T[K] }): T {
  const others = Object.fromEntries(Object.keys(base).map((key) => [key, () => base[key as keyof T]]));
  return lazily<T>({ ...others, ...makers } as { readonly [K in keyof T]: () => T[K] });
}
