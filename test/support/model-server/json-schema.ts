import Ajv from 'ajv/dist/2020';
import { isJsonObject, type Json } from '../../../plan/text/json';

const ajv = new Ajv({ strict: false, logger: false });

/** Whether a value is a JSON schema. */
export function isSchema(schema: Json): boolean {
  return isJsonObject(schema) && ajv.validateSchema(withoutDialect(schema)) === true;
}

/** The schema without the name of its dialect, so that every dialect is accepted. */
function withoutDialect({ $schema: _dialect, ...schema }: { [key: string]: Json }): object {
  return schema;
}
