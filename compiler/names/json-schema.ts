import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020';
import { field, type JsonObject } from '../../plan/text/json';
import { findSchemaCycle } from './schema-cycle';

/**
 * Why a schema within the limits is invalid, in words; undefined if it is valid. Its patterns are checked elsewhere (`schema-patterns.ts`).
 * The validator is loaded at the first schema: a pipeline without any does not pay for it. It understands draft-07, which is the default,
 * and 2020-12.
 */
export function invalidity(schema: JsonObject): string | undefined {
  const dialect = field(schema, '$schema');
  const text = typeof dialect === 'string' ? dialect.replace(/#$/, '') : undefined;
  if (dialect !== undefined && text === undefined) return '"$schema" is not text';
  if (text !== undefined && !DRAFT_07.test(text) && !DRAFT_2020.test(text)) return `"$schema" is "${text}"; known are draft-07 and 2020-12`;
  const { validator, compile } = text !== undefined && DRAFT_2020.test(text) ? draft2020() : draft07();
  try {
    if (!validator.validateSchema(schema)) return validator.errorsText(validator.errors, { dataVar: 'the schema' });
    if (!NEEDS_COMPILING.test(JSON.stringify(schema))) return undefined;
    const circle = findSchemaCycle(schema);
    if (circle === undefined) compile(schema);
    return circle;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** What only compiling finds: references that cannot be resolved. */
const NEEDS_COMPILING = /"(?:\$ref|\$dynamicRef)":/;
const DRAFT_07 = /^https?:\/\/json-schema\.org\/draft-07\/schema$/;
const DRAFT_2020 = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema$/;
const OPTIONS = { strict: false, validateFormats: false, allErrors: false, logger: false, code: { optimize: false } } as const;

interface Dialect {
  /** Holds no schema but the meta-schema, which takes longer to compile than they do. */
  validator: Pick<import('ajv').default, 'validateSchema' | 'errorsText' | 'errors'>;
  /** Compiles a schema apart from all others, whatever its `$id`. */
  compile(schema: JsonObject): void;
}
let seven: Dialect | undefined;
let twenty: Dialect | undefined;

function draft07(): Dialect {
  seven ??= { validator: new Ajv(OPTIONS), compile: (schema) => new Ajv({ ...OPTIONS, validateSchema: false }).compile(schema) };
  return seven;
}

function draft2020(): Dialect {
  twenty ??= { validator: new Ajv2020(OPTIONS), compile: (schema) => new Ajv2020({ ...OPTIONS, validateSchema: false }).compile(schema) };
  return twenty;
}
