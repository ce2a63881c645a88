import { defined } from '../../plan/defined';
import { setSpelled, spelledList } from '../../plan/text/spelled-json';
import type { Report } from '../diagnostics/diagnostic';
import { type MappingName, mappingNamed, type RowsOfMapping } from '../language/mappings';
import { NAME } from '../language/patterns';
import { type KeyRow, type NameRule, spellings, type ValueType } from '../language/row';
import { spelledOf } from '../read/json';
import { type Entry, entryOf, type MappingNode, type SourceNode } from '../read/node';
import { readActions } from './action';
import { readEnv } from './environment';
import { checkKeys, requireKey } from './keys';
import { DASHES, listHint } from './list-hint';
import { listedNames } from './name-list';
import { checkName } from './names';
import { type RowReading, readSimple } from './read-simple';
import type { StepSource } from './source';
import type { MapItem, SourceOf } from './source-of';
import { conflict, integerOf, mappingOf, namesOf, numberOf, sequenceOf, textsOf, wordOf, wrongType } from './values';

/**
 * Reads the keys of a mapping that rows tell of; whether it has others is for `checkKeys`. Every mistake is reported, and what could not
 * be read is absent. @param what the mapping, in words: "a step of kind "wait""
 */
export function readRows<const Rows extends readonly KeyRow[]>(
  node: MappingNode,
  rows: Rows,
  what: string,
  reading: RowReading,
): SourceOf<Rows, StepSource> {
  const { report } = reading;
  const source: Record<string, unknown> = { node };
  for (const row of rows) {
    const entry = writtenFor(row, node, report);
    if (!entry) {
      if (row.required) requireKey(node, row.key, what, report, row.required === true ? undefined : row.required);
      continue;
    }
    const { requires } = row;
    if (requires && !requires.keys.some((key) => entryOf(node, key)))
      report('shape.missing-key', entry.keyAt, `"${entry.key}" requires ${withArticle(requires.keys[0])}`, requires.hint);
    if (row.own) continue;
    if (row.type.kind === 'json') setSpelled(source, fieldOf(row), spelledOf(entry.value));
    else {
      const value = readValue(entry, row.type, row, reading);
      if (value !== undefined) source[fieldOf(row)] = value;
    }
  }
  return source as SourceOf<Rows, StepSource>;
}

/** Reads a mapping of the language: its keys, and no others. `what`: the mapping in words, if its key does not say. */
export function readMapping<Name extends MappingName>(
  entry: Entry,
  name: Name,
  reading: RowReading,
  { takes, what }: { takes?: string | undefined; what?: string } = {},
): SourceOf<RowsOfMapping<Name>, StepSource> | undefined {
  const node = mappingOf(entry, reading.report, takes ?? such(name));
  if (!node) return undefined;
  const { rows, place, whose, what: usual = `"${entry.key}"` } = mappingNamed(name);
  const called = what ?? (whose === undefined ? usual : `${whose} "${entry.key}"`);
  checkKeys(node, { what: called, known: spellings(rows), ...defined({ place }) }, reading.report);
  const source: unknown = readRows(node, rows, called, reading);
  return source as SourceOf<RowsOfMapping<Name>, StepSource>;
}

/** The entry of a row, under whichever of its spellings; of two that exclude each other the first counts. */
function writtenFor({ key, aliases, insteadOf }: KeyRow, node: MappingNode, report: Report): Entry | undefined {
  let found = entryOf(node, key);
  for (const alias of aliases ?? []) {
    const other = entryOf(node, alias);
    if (found && other) conflict(found, other, report);
    found ??= other;
  }
  const rival = found && insteadOf !== undefined ? entryOf(node, insteadOf) : undefined;
  if (!found || !rival) return found;
  conflict(rival, found, report);
  return undefined;
}

function withArticle(key = ''): string {
  if (key.endsWith('s')) return `"${key}"`;
  return `${/^[aeiou]/.test(key) ? 'an' : 'a'} "${key}"`;
}

/** The field for a key: `max_delay` is `maxDelay`, a duration `maxDelayMs`, and a list of branches `branches`. */
function fieldOf({ key, type }: KeyRow): string {
  if (type.kind === 'branches') return type.kind;
  const camel = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return type.kind === 'duration' ? `${camel}Ms` : camel;
}

function readValue(entry: Entry, type: ValueType, row: KeyRow, reading: RowReading): unknown {
  const { report } = reading;
  switch (type.kind) {
    case 'integer':
      return integerOf(entry, type.min, type.max, report);
    case 'number':
      return numberOf(entry, type.over, type.max, report);
    case 'word':
      return wordOf(entry, type.words, report, row.place)?.value;
    case 'list':
      return readList(entry, type, row, reading);
    case 'map':
      return readMap(entry, type, row, reading);
    case 'mapping':
      return readMapping(entry, type.name as MappingName, reading, { takes: row.takes });
    case 'actions':
      return readActions(entry, type.key, report);
    case 'either':
      return readEither(entry, type.of, row, reading);
    case 'body':
      return undefined;
    default:
      return readSimple(type.kind, entry, reading);
  }
}

function readList(entry: Entry, type: Extract<ValueType, { kind: 'list' }>, row: KeyRow, reading: RowReading): unknown {
  const { report } = reading;
  const { value } = entry;
  if (row.empty && value.kind === 'sequence' && value.items.length === 0)
    report('shape.out-of-range', value.at, row.empty.why, row.empty.hint);
  if (type.commas) return listedNames(entry, report);
  if (type.of.kind === 'text') return textsOf(entry, report, row.takes);
  if (NAMES.includes(type.of.kind)) return namesOf(entry, report);
  const alone = type.alone && value.kind === 'scalar';
  const expected = row.takes ?? `a list of ${PLURAL[type.of.kind] ?? 'values'}`;
  const items = alone ? [value] : sequenceOf(entry, report, expected, type.of.kind === 'mapping' ? listHint : () => DASHES)?.items;
  if (type.of.kind === 'json') return items && spelledList(items.map(spelledOf));
  const read = items?.map((item) => readValue({ ...entry, value: item }, type.of, ofItems(row), reading));
  return read?.filter((value) => value !== undefined);
}

/** The row without what it says of the list as a whole. */
function ofItems({ takes: _takes, empty: _empty, ...row }: KeyRow): KeyRow {
  return row;
}

const NAMES: readonly string[] = ['step', 'agent', 'person', 'choice', 'path', 'address'];
const PLURAL: Readonly<Record<string, string>> = { template: 'texts', scalar: 'texts', member: 'agents and people' };

function readMap(entry: Entry, { names, of }: Extract<ValueType, { kind: 'map' }>, row: KeyRow, reading: RowReading): unknown {
  const { report } = reading;
  if (names === 'environment variable') return readEnv(entry, report);
  const takes = row.takes ?? 'a mapping of names to values';
  const node =
    entry.value.kind === 'mapping'
      ? entry.value
      : wrongType(entry.value, entry.key, takes, report, `write it as in \`${entry.key}: ${row.example}\``);
  const found = new Map<string, MapItem<unknown>>();
  for (const item of node?.entries ?? []) {
    const isNamed = checkMapName(item, names, report);
    const value = readValue(item, of, ofItems(row), reading);
    if (isNamed && value !== undefined) found.set(item.key, { value, at: item.value.at, keyAt: item.keyAt });
  }
  return node && found;
}

function checkMapName({ key, keyAt }: Entry, names: NameRule, report: Report): boolean {
  if (names === 'arg') return checkName({ value: key, at: keyAt }, names, report);
  if (names !== 'agent' || NAME.test(key)) return true;
  report('names.invalid', keyAt, `"${key}" is not the name of an agent`, 'write letters, digits, "-" and "_"');
  return false;
}

/** Reads the first form that suits the node; if several take a scalar, the last of them is the one that takes any. */
function readEither(entry: Entry, forms: readonly ValueType[], row: KeyRow, reading: RowReading): unknown {
  const { value, key } = entry;
  const form = forms.find((type) => isExactly(type, value)) ?? forms.findLast((type) => takesNode(type, value));
  if (form) return readValue(entry, form, row, reading);
  const mapping = forms.find((type) => type.kind === 'mapping');
  // Without a mapping among them the forms are words and names.
  wrongType(value, key, row.takes ?? (mapping?.kind === 'mapping' ? such(mapping.name) : 'text'), reading.report);
  // What may be empty counts as empty, so that its name is known.
  return forms.some(({ kind }) => kind === 'nothing') ? null : undefined;
}

function isExactly(type: ValueType, node: SourceNode): boolean {
  if (node.kind !== 'scalar') return false;
  if (type.kind === 'boolean') return typeof node.value === 'boolean';
  if (type.kind === 'nothing') return node.value === null;
  return type.kind === 'word' && type.words.includes(node.text);
}

function takesNode({ kind }: ValueType, node: SourceNode): boolean {
  if (kind === 'mapping' || kind === 'map') return node.kind === 'mapping';
  if (kind === 'actions') return true;
  if (kind === 'list' || kind === 'steps' || kind === 'branches') return node.kind === 'sequence';
  return node.kind === 'scalar' && kind !== 'boolean' && kind !== 'nothing';
}

function such(name: string): string {
  const { such: example } = mappingNamed(name);
  return example === undefined ? 'a mapping' : `a mapping such as ${example}`;
}
