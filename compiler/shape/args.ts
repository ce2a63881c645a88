import { defined } from '../../plan/defined';
import type { ArgSpec } from '../../plan/plan';
import { isOfType, isSecretReference } from '../../plan/run/args';
import { sameJson } from '../../plan/text/json';
import { copyField } from '../../plan/text/spelled-json';
import type { Report } from '../diagnostics/diagnostic';
import type { ARG_ROWS } from '../language/mappings/file';
import { jsonOf } from '../read/json';
import { type Entry, entryOf } from '../read/node';
import type { SourceOf } from './source-of';
import { conflict } from './values';

/** What an arg takes, as the plan says it. Secrets are references in texts, so they have no other type and no list of values. */
export function argSpec(source: SourceOf<typeof ARG_ROWS>, report: Report): ArgSpec {
  const { node, type, required, enum: choices, description, secret } = source;
  const [typeAt, requiredAt, enumAt, secretAt, fallback] = ['type', 'required', 'enum', 'secret', 'default'].map((key) =>
    entryOf(node, key),
  );
  if (required && requiredAt && fallback) conflict(requiredAt, fallback, report);
  if (secret && secretAt && enumAt) conflict(secretAt, enumAt, report);
  if (secret && secretAt && typeAt && type && type !== 'string') conflict(secretAt, typeAt, report);
  const spec: ArgSpec = defined({
    type,
    required: required || undefined,
    description: description?.value.trim(),
    secret: secret || undefined,
    enum: choices,
  });
  if (enumAt) checkEnum(enumAt, spec, report);
  if (fallback && isDefault(fallback, spec, report)) copyField(source, 'default', spec);
  return spec;
}

function checkEnum({ value }: Entry, { type }: ArgSpec, report: Report): void {
  for (const item of value.kind === 'sequence' ? value.items : []) {
    if (type && !isOfType(jsonOf(item), type))
      report('args.bad-default', item.at, `${JSON.stringify(jsonOf(item))} is not of type ${type}`);
  }
}

function isDefault(entry: Entry, spec: ArgSpec, report: Report): boolean {
  const value = jsonOf(entry.value);
  const refuse = (message: string, hint: string): false => {
    report('args.bad-default', entry.value.at, message, hint);
    return false;
  };
  if (spec.secret && !isSecretReference(value))
    return refuse('the default of a secret is not a reference to one', 'write it as in secret://env/NAME');
  if (spec.type && !isOfType(value, spec.type))
    return refuse(`the default ${JSON.stringify(value)} is not of type ${spec.type}`, 'fix the default or the type');
  if (spec.enum && !spec.enum.some((allowed) => sameJson(allowed, value)))
    return refuse(`the default ${JSON.stringify(value)} is not in the enum`, 'add it to the enum, or choose one of its values');
  return true;
}
