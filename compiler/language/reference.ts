import { ACTIONS, ACTIONS_OF, type ActionName } from './actions';
import { FILE_ROWS } from './file';
import { FUNCTION_ROWS } from './functions';
import { BODIES, kindRow, WRITTEN_KINDS, type WrittenKind } from './kinds';
import { MAPPING_NAMES, type MappingName, mappingRows, mappingTitle } from './mappings';
import { RESERVED_KEYS } from './reserved-keys';
import type { KeyRow, ValueType } from './row';
import { SIMPLE_TYPES } from './simple-types';
import { EVERY_STEP_ROWS } from './step';

/**
 * The generated parts of docs/language.md, docs/file.md and docs/steps/, by name, as Markdown. The pages have prose between them; a test
 * puts each part behind its mark and checks that no page is stale. A link to a heading names the heading alone: the test knows which page
 * has it.
 */
export function referenceParts(): Map<string, string> {
  const parts = new Map<string, string>();
  parts.set('file', keyList(FILE_ROWS));
  parts.set('every step', keyList(EVERY_STEP_ROWS));
  parts.set('several kinds', keyList(severalKinds()));
  parts.set('kinds', kindList());
  for (const kind of WRITTEN_KINDS) parts.set(`kind ${kind}`, kindPart(kind));
  for (const name of MAPPING_NAMES) parts.set(`mapping ${name}`, `### Keys of ${mappingTitle(name)}\n\n${mappingPart(name)}`);
  for (const { kind, rows } of BODIES) parts.set(`mapping ${kind}`, `### Keys of \`${kind}\`\n\n${keyList(rows)}`);
  parts.set('actions', actionLists());
  parts.set('functions', functionTable());
  parts.set('later', laterList());
  return parts;
}

/** A key is a paragraph and no line of a table, which would be wider than a screen. */
function keyList(rows: readonly KeyRow[]): string {
  return rows.map(keyItem).join('');
}

function keyItem(row: KeyRow): string {
  const names = [row.key, ...(row.aliases ?? [])].map((key) => `**\`${key}\`**`).join(', ');
  const fallback = row.required ? ' Required.' : row.default === undefined ? '' : ` Default: ${row.default}.`;
  return `- ${names}: ${row.meaning} Value: ${describeType(row.type)}.${fallback} Example: \`${row.key}: ${row.example}\`\n`;
}

/** A key that this many kinds have is explained once, for all of them. */
const SEVERAL = 3;

/** Keys that mean the same on several kinds of step. */
function severalKinds(): readonly KeyRow[] {
  const all = WRITTEN_KINDS.flatMap((kind) => kindRow(kind).rows);
  return [...new Set(all)].filter((row) => all.filter((one) => one === row).length >= SEVERAL);
}

/** What steps take by default are keys of theirs, which are explained there. */
function mappingPart(name: MappingName): string {
  const rows = mappingRows(name);
  if (name !== 'defaults') return keyList(rows);
  const every = new Set<string>(EVERY_STEP_ROWS.map(({ key }) => key));
  const [common, own] = [rows.filter(({ key }) => every.has(key)), rows.filter(({ key }) => !every.has(key))];
  return `${listOf(common)} of [every step](#keys-of-every-step), and ${listOf(own)} of the kinds that have them.\n`;
}

function kindList(): string {
  const written = WRITTEN_KINDS.filter((kind) => kindRow(kind).types.length > 0);
  const items = written.map((kind) => {
    const { types, plainBy, meaning } = kindRow(kind);
    const also = types.length > 1 ? ` Also written ${types.slice(1).map(code).join(', ')}.` : '';
    const plain = plainBy.length > 0 ? ` Inferred from ${plainBy.map(code).join(', ')}.` : '';
    return `- [\`${types[0]}\`](#${kind}): ${meaning.split(/(?<=\.) /)[0]}${also}${plain}\n`;
  });
  return items.join('');
}

function kindPart(kind: WrittenKind): string {
  const { meaning, output, rows, example } = kindRow(kind);
  const several = severalKinds();
  const [common, own] = [rows.filter((row) => several.includes(row)), rows.filter((row) => !several.includes(row))];
  const listed = common.length > 0 ? `, and of the [keys of several kinds](#keys-of-several-kinds) ${listOf(common)}` : '';
  const also = `The [keys of every step](#keys-of-every-step) apply${listed}.`;
  return `${meaning} Output: ${output}.\n\n\`\`\`yaml\n${example}\n\`\`\`\n\n${also}\n\n${keyList(own)}`;
}

function actionLists(): string {
  const actions = (Object.keys(ACTIONS) as ActionName[]).map(
    (name) => `- ${ACTIONS[name].written.map(code).join(', ')}: ${ACTIONS[name].meaning}\n`,
  );
  const keys = new Map<string, string[]>();
  for (const [key, names] of Object.entries(ACTIONS_OF)) {
    const taken = names.map(code).join(', ');
    keys.set(taken, [...(keys.get(taken) ?? []), code(key)]);
  }
  const takes = [...keys].map(([taken, of]) => `- ${of.join(', ')}: ${taken}\n`);
  return `${actions.join('')}\nEach key takes some of them:\n\n${takes.join('')}`;
}

function functionTable(): string {
  const rows = FUNCTION_ROWS.map(({ name, parameters, meaning, example }) => [
    code(`${name}(${parameters.join(', ')})`),
    meaning,
    code(example),
  ]);
  return table(['function', 'value', 'example'], rows);
}

function laterList(): string {
  const list = (words: readonly string[]): string => words.map(code).join(', ');
  const rows = [
    ['keys of the file', list(RESERVED_KEYS.fileKeys)],
    ['keys of agents', list(RESERVED_KEYS.agentKeys)],
  ];
  return table(['where', 'what'], rows);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
  return `${line(head)}|${'---|'.repeat(head.length)}\n${rows.map(line).join('')}`;
}

function listOf(rows: readonly KeyRow[]): string {
  return rows.map(({ key }) => code(key)).join(', ');
}

function code(text: string): string {
  return `\`${text}\``;
}

function describeType(type: ValueType): string {
  switch (type.kind) {
    case 'integer':
      return `${type.min} to ${type.max}`;
    case 'number':
      return `a number over ${type.over}, up to ${type.max}`;
    case 'word':
      return type.words.map(code).join(', ');
    case 'list':
      return `a list: ${describeType(type.of)}${type.alone ? '; one may stand alone' : ''}`;
    case 'map':
      return `a mapping: ${type.names === 'any' ? 'name' : type.names} to ${describeType(type.of)}`;
    case 'mapping':
      return `[a mapping](#${slugOf(`Keys of ${mappingTitle(type.name)}`)})`;
    case 'body':
      return `[a mapping](#${slugOf(`Keys of ${type.of}`)})`;
    case 'actions':
      return '[actions](#actions)';
    case 'either':
      return type.of.map(describeType).join('; or ');
    default:
      return SIMPLE_TYPES[type.kind].described;
  }
}

/** The anchor of a heading, made as GitHub makes it. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}
