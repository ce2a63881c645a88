import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { field, type Json, type JsonObject } from '../../../plan/json';

/** Compiles a plain schema (`plain-schema.ts`); in words, why it is none. */
export function compiled(schema: JsonObject): ValidateFunction | string {
  const options = { strict: false, logger: false, addUsedSchema: false } as const;
  const ajv = field(schema, '$schema') === undefined ? new Ajv(options) : new Ajv2020(options);
  addFormats(ajv);
  try {
    return ajv.compile(schema);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Why a value breaks a plain schema, in words; undefined where it does not. */
export function breach(validate: ValidateFunction, value: Json): string | undefined {
  if (validate(value)) return undefined;
  const [error] = validate.errors ?? [];
  return `${error?.instancePath || 'the whole'} ${error?.message ?? 'is not as promised'}`;
}
