import Ajv from 'ajv';

/** The parts of a value that do not fit a schema. */
export function checkerOf(schema: object): (value: unknown) => string[] {
  const check = new Ajv({ allErrors: true, strict: false }).compile(schema);
  return (value) => (check(value) ? [] : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`));
}
