/** Ends an exhaustive switch: a new member of the union is a type error here before it is a surprise at run time. */
export function unreachable(value: never): never {
  throw new TypeError(`unexpected value ${JSON.stringify(value)}`);
}
