import { DECIDERS } from '../../plan/steps/action';
import { isJsonObject, type JsonObject } from '../../plan/text/json';
import { PASSED_OVER, PASSED_OVER_OF_PROGRAMS } from '../brief/passed-over';
import { ACTIONS, ACTIONS_OF, type ActionKey, type ActionName } from './actions';
import { FILE_ROWS } from './file';
import { mappingSchema, oneOfKeys } from './json-schema/mapping';
import { reference } from './json-schema/value';
import { BODIES, kindRow, redefines, rowsOf, WRITTEN_KINDS, type WrittenKind } from './kinds';
import { MAPPING_NAMES, mappingRows } from './mappings';
import { BRIEF_HEAD_ROWS } from './mappings/brief';
import { BRIEF_BUDGET_ROWS } from './mappings/brief-budgets';
import { BRIEF_CLI_ROWS, BRIEF_ROLE_ROWS, ROLE_ROWS } from './mappings/brief-roles';
import { RANGES } from './ranges';
import { type KeyRow, spellings } from './row';
import { EVERY_STEP_ROWS } from './step';
import { TEAM_FILE_ROWS, TEAM_ROWS, TEAM_TELLS } from './team-file';

/**
 * The strict dialect as JSON Schema (draft-07, which editors read): it completes and checks while one types. It refuses no
 * file that compiles; what needs more than one place to judge, such as names of steps, is left to the compiler.
 */
export function pipelineSchema(): JsonObject {
  return { ...HEAD, title: 'Thermidor pipeline', ...anyFile(), definitions: definitions() };
}

/** A file has steps, or it is a task file with the keys of a coordinate step, or a team with those of a board. */
function anyFile(): JsonObject {
  const task = kindRow('coordinate').rows;
  const { required: _, ...schema } = mappingSchema([...FILE_ROWS, ...task, ...TEAM_ROWS]);
  const needed = (rows: readonly KeyRow[]): string[] => rows.flatMap(({ key, required }) => (required ? [key] : []));
  const others = FILE_ROWS.filter((row) => !TEAM_FILE_ROWS.includes(row));
  return {
    ...schema,
    required: needed(FILE_ROWS).filter((key) => key !== 'steps'),
    anyOf: [
      { required: ['steps'], not: hasOneOf([...task, ...TEAM_ROWS]) },
      { required: needed(task), not: hasOneOf([...TEAM_ROWS, ...FILE_ROWS.filter(({ key }) => key === 'steps')]) },
      { ...oneOfKeys(TEAM_TELLS), not: hasOneOf([...task, ...others]) },
    ],
  };
}

function hasOneOf(rows: readonly KeyRow[]): JsonObject {
  return oneOfKeys(rows.map(({ key }) => key));
}

/** The schema of an agent's file. */
export function agentSchema(): JsonObject {
  const within = (['agent-limits', 'memory'] as const).map((name) => [name, mappingSchema(mappingRows(name))]);
  return { ...HEAD, title: 'Thermidor agent', ...mappingSchema(mappingRows('agent')), definitions: Object.fromEntries(within) };
}

/** The schema of a brief's front matter. A key without a value is as if it were absent. */
export function briefSchema(): JsonObject {
  const programs = ignored(PASSED_OVER_OF_PROGRAMS);
  const definitions = {
    'brief-role': withMore(mappingSchema(BRIEF_ROLE_ROWS), programs),
    'brief-cli': withMore(mappingSchema(BRIEF_CLI_ROWS), programs),
    'brief-budgets': mappingSchema(BRIEF_BUDGET_ROWS),
  };
  const schema = withMore(mappingSchema(BRIEF_HEAD_ROWS), ignored(PASSED_OVER.map(({ key }) => key)));
  const properties = Object.entries(isJsonObject(schema['properties']) ? schema['properties'] : {});
  const orNothing = properties.map(([key, value]) => [key, key === 'project' ? value : { anyOf: [value, { type: 'null' }] }]);
  return { ...HEAD, title: 'Front matter of a Thermidor brief', ...schema, properties: Object.fromEntries(orNothing), definitions };
}

/** Keys that are warned of and take anything. */
function ignored(keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.map((key) => [key, { description: 'A key of openwar that has no meaning here.' }]));
}

function withMore(schema: JsonObject, more: JsonObject): JsonObject {
  return { ...schema, properties: { ...(isJsonObject(schema['properties']) ? schema['properties'] : {}), ...more } };
}

/** The schema of a role's file. */
export function roleSchema(): JsonObject {
  return { ...HEAD, title: 'Thermidor role', ...mappingSchema(ROLE_ROWS) };
}

const HEAD: JsonObject = { $schema: 'http://json-schema.org/draft-07/schema#' };

function definitions(): JsonObject {
  const found: JsonObject = {};
  const steps = WRITTEN_KINDS.filter((kind) => kindRow(kind).types.length > 0);
  found['step'] = anyKind(steps);
  found['branch'] = anyKind(WRITTEN_KINDS);
  found[EVERY_STEP] = mappingSchema(EVERY_STEP_ROWS);
  for (const kind of WRITTEN_KINDS) found[nameOfKind(kind)] = kindSchema(kind);
  for (const name of MAPPING_NAMES) found[name] = mappingSchema(mappingRows(name));
  for (const { kind, rows } of BODIES) found[kind] = mappingSchema(rows);
  for (const key of Object.keys(ACTIONS_OF) as ActionKey[]) found[key] = actionsSchema(key);
  return found;
}

/** `type` is listed apart from the kinds as well: editors complete it before the kind is clear. */
function anyKind(kinds: readonly WrittenKind[]): JsonObject {
  const types = kinds.flatMap((kind) => kindRow(kind).types);
  const described = EVERY_STEP_ROWS.find((row) => row.key === 'type')?.meaning ?? '';
  return {
    type: 'object',
    properties: { type: { enum: types, description: described } },
    anyOf: kinds.map((kind) => reference(nameOfKind(kind))),
  };
}

/** Keys of every step are written once and referred to. */
const EVERY_STEP = 'every-step';

function nameOfKind(kind: WrittenKind): string {
  return `step-${kind}`;
}

function kindSchema(kind: WrittenKind): JsonObject {
  const { types, meaning, oneOf } = kindRow(kind);
  const schema = mappingSchema(rowsOf(kind));
  const conditions = [...plainness(kind), ...(oneOf ? [oneOfKeys(oneOf)] : []), ...(Array.isArray(schema['allOf']) ? schema['allOf'] : [])];
  const properties: JsonObject = isJsonObject(schema['properties']) ? { ...schema['properties'] } : {};
  const everywhere = EVERY_STEP_ROWS.filter((row) => !redefines(kind, row.key));
  for (const key of spellings(everywhere)) if (key in properties) properties[key] = reference(`${EVERY_STEP}/properties/${key}`);
  if (types.length > 0) properties['type'] = { description: meaning, enum: [...types] };
  return { ...schema, title: types[0] ?? kind, description: meaning, properties, ...(conditions.length > 0 ? { allOf: conditions } : {}) };
}

/** The schemas that identify the kind: its `type`, or keys that only it has. */
function plainness(kind: WrittenKind): JsonObject[] {
  const { types, plainBy, isAlwaysPlain, variant } = kindRow(kind);
  if (types.length === 0) return [];
  const byType: JsonObject = { required: ['type'] };
  if (isAlwaysPlain) return [oneOfKeys(plainBy)];
  if (!variant) return [{ anyOf: [byType, ...plainBy.map((key) => ({ required: [key] }))] }];
  const byOutput: JsonObject = { required: ['output'], properties: { output: { const: variant.output } } };
  return [oneOfKeys(kindRow(variant.of).plainBy), { anyOf: [byType, byOutput] }];
}

/** What an `on_…` key takes: a word, a call as text, a call as an object, or a list of those. */
function actionsSchema(key: ActionKey): JsonObject {
  const names: readonly ActionName[] = ACTIONS_OF[key];
  const words = names.filter((name) => ACTIONS[name].form === 'word' || 'alone' in ACTIONS[name]);
  const calls = names.filter((name) => ACTIONS[name].form === 'call');
  const one: JsonObject[] = [];
  if (words.length > 0) one.push({ type: 'string', enum: words });
  if (calls.length > 0) one.push({ type: 'string', pattern: `^\\s*(${calls.join('|')})\\s*\\(.*\\)\\s*$` }, ...calls.map(objectForm));
  return { description: describeActions(names), anyOf: [...one, { type: 'array', minItems: 1, items: { anyOf: one } }] };
}

function objectForm(name: ActionName): JsonObject {
  const times: JsonObject = { type: 'integer', minimum: RANGES.rounds.min, maximum: RANGES.rounds.max };
  const target: JsonObject = name === 'return_to_author' ? times : { type: 'string', pattern: '\\S' };
  const properties: JsonObject =
    name === 'retry'
      ? { retry: target, max: times }
      : { [name]: target, ...(name === 'escalate' ? { decides: { type: 'string', enum: [...DECIDERS] } } : {}) };
  return { type: 'object', description: ACTIONS[name].meaning, properties, required: [name], additionalProperties: false };
}

function describeActions(names: readonly ActionName[]): string {
  return names.map((name) => `${ACTIONS[name].written[0]}: ${ACTIONS[name].meaning}.`).join('\n');
}
