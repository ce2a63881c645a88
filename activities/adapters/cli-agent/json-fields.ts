import { field, type Json } from '../../../plan/text/json';

/** A program's output is read field by field: one of another type than documented counts as absent. */
export function textField(value: Json | undefined, name: string): string | undefined {
  const found = field(value, name);
  return typeof found === 'string' ? found : undefined;
}

export function numberField(value: Json | undefined, name: string): number | undefined {
  const found = field(value, name);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}

export function listField(value: Json | undefined, name: string): readonly Json[] {
  const found = field(value, name);
  return Array.isArray(found) ? found : [];
}
