import { ARG_TYPES, type ArgSpec } from '../../plan/plan';
import { isOfType, isSecretReference } from '../../plan/run/args';
import { sameJson } from '../../plan/text/json';
import { setSpelled, spelledList } from '../../plan/text/spelled-json';
import type { Report, SourceSpan } from '../diagnostics/diagnostic';
import { jsonOf, spelledOf } from '../read/json';
import { type Entry, entryOf } from '../read/node';
import { checkKeys } from './keys';
import { checkName } from './names';
import { booleanOf, conflict, mappingOf, sequenceOf, textOf, wordOf } from './values';
import { keysOf } from './vocabulary';

/** Reads `args: {name: {type, required, default, enum, description, secret}}`; a name alone declares an arg of any type. */
export function readArgs(entry: Entry, report: Report): Map<string, { at: SourceSpan; spec: ArgSpec }> {
  const found = new Map<string, { at: SourceSpan; spec: ArgSpec }>();
  for (const item of mappingOf(entry, report, 'a mapping of names to what they take')?.entries ?? []) {
    const named = checkName({ value: item.key, at: item.keyAt }, 'arg', report);
    const spec = readArg(item, report);
    if (named) found.set(item.key, { at: item.keyAt, spec });
  }
  return found;
}

function readArg(item: Entry, report: Report): ArgSpec {
  if (item.value.kind === 'scalar' && item.value.value === null) return {};
  const node = mappingOf(item, report, 'a mapping such as {type: string, default: x}');
  if (!node) return {};
  const get = (key: string): Entry | undefined => entryOf(node, key);
  checkKeys(node, { what: `the arg "${item.key}"`, known: keysOf('arg'), place: 'key of an arg' }, report);
  const [type, required, fallback, choices, description, secret] = ['type', 'required', 'default', 'enum', 'description', 'secret'].map(
    get,
  );
  const spec: ArgSpec = {};
  const word = type && wordOf(type, ARG_TYPES, report, 'type of an arg');
  if (word) spec.type = word.value;
  if (required && booleanOf(required, report)) spec.required = true;
  if (spec.required && required && fallback) conflict(required, fallback, report);
  const text = description && textOf(description, report);
  if (text) spec.description = text.value.trim();
  if (secret && booleanOf(secret, report)) readSecret(spec, secret, choices, type, report);
  if (choices) spec.enum = readEnum(choices, spec, report);
  if (fallback) readDefault(fallback, spec, report);
  return spec;
}

/** A secret is a reference in a text, so it has no other type and no list of values. */
function readSecret(spec: ArgSpec, secret: Entry, choices: Entry | undefined, type: Entry | undefined, report: Report): void {
  spec.secret = true;
  if (choices) conflict(secret, choices, report);
  if (type && spec.type && spec.type !== 'string') conflict(secret, type, report);
}

function readEnum(entry: Entry, spec: ArgSpec, report: Report) {
  const items = sequenceOf(entry, report, 'a list of values')?.items ?? [];
  if (entry.value.kind === 'sequence' && items.length === 0)
    report('shape.out-of-range', entry.value.at, '"enum" is empty: no value would fit', 'list the values');
  for (const item of items) {
    if (spec.type && !isOfType(jsonOf(item), spec.type))
      report('args.bad-default', item.at, `${JSON.stringify(jsonOf(item))} is not of type ${spec.type}`);
  }
  return spelledList(items.map(spelledOf));
}

function readDefault(entry: Entry, spec: ArgSpec, report: Report): void {
  const value = jsonOf(entry.value);
  const { at } = entry.value;
  if (spec.secret && !isSecretReference(value)) {
    report('args.bad-default', at, 'the default of a secret is not a reference to one', 'write it as in secret://env/NAME');
  } else if (spec.type && !isOfType(value, spec.type)) {
    report('args.bad-default', at, `the default ${JSON.stringify(value)} is not of type ${spec.type}`, 'fix the default or the type');
  } else if (spec.enum && !spec.enum.some((allowed) => sameJson(allowed, value))) {
    report(
      'args.bad-default',
      at,
      `the default ${JSON.stringify(value)} is not in the enum`,
      'add it to the enum, or choose one of its values',
    );
  } else setSpelled(spec, 'default', spelledOf(entry.value));
}
