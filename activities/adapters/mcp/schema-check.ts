import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { field, type Json, type JsonObject } from '../../../plan/json';

const OPTIONS = { strict: false, logger: false, addUsedSchema: false } as const;
/** What a draft says of schemas takes longer to compile than they do, so it is kept. Each is compiled apart from all others. */
const drafts = new Map<typeof Ajv | typeof Ajv2020, Ajv | Ajv2020>();

/** Compiles a plain schema (`plain-schema.ts`); in words, why it is none. */
export function compiled(schema: JsonObject): ValidateFunction | string {
  const Draft = field(schema, '$schema') === undefined ? Ajv : Ajv2020;
  const draft = drafts.get(Draft) ?? addFormats(new Draft(OPTIONS));
  drafts.set(Draft, draft);
  try {
    draft.validateSchema(schema, true);
    return addFormats(new Draft({ ...OPTIONS, validateSchema: false })).compile(schema);
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
