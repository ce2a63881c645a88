import type { JsonObject } from '../../plan/text/json';
import { DURATION, NAME, OUTPUT_NAME } from './patterns';
import { LONGEST_MS, RANGES } from './ranges';

/** A type of single values: what the pages call it, and its JSON Schema, which allows more if a reader checks more closely. */
interface SimpleTypeRow {
  described: string;
  schema: JsonObject;
}

const TEXT: JsonObject = { type: 'string', pattern: '\\S' };
const NAMED: JsonObject = { type: 'string', pattern: NAME.source };
const PLAIN: JsonObject = { type: ['string', 'number', 'boolean', 'null'] };
const CRON: JsonObject = { type: 'string', pattern: '^\\s*cron\\s+(".*"|\'.*\')\\s*$' };
const TRIGGERS: JsonObject[] = [{ $ref: '#/definitions/trigger' }, { $ref: '#/definitions/web-hook' }];
const LEVEL: JsonObject = { anyOf: [TEXT, { $ref: '#/definitions/level' }] };

/** What `shape/read-simple.ts` makes of a value of each is in `shape/source-of.ts`. */
export const SIMPLE_TYPES = {
  /** Verbatim. */
  text: { described: 'text', schema: TEXT },
  /** Text with `${…}` in it. */
  template: { described: '[a template](#templates)', schema: TEXT },
  /** A plain number or boolean is its text. */
  scalar: { described: '[a template](#templates), a number, `true` or `false`', schema: { type: ['string', 'number', 'boolean'] } },
  expression: { described: '[an expression](#expressions)', schema: PLAIN },
  value: { described: '[a template](#templates), a reference such as `$draft`, or a plain value', schema: PLAIN },
  /** A list or a mapping stays as it is, without references in it. */
  data: { described: '[a template](#templates), a reference such as `$draft`, or any plain value', schema: {} },
  form: { described: '[a template](#templates), a reference such as `$draft`, or a list or a mapping of such', schema: {} },
  boolean: { described: '`true` or `false`', schema: { type: 'boolean' } },
  nothing: { described: 'nothing', schema: { type: 'null' } },
  duration: {
    described: '[a duration](#durations)',
    schema: { type: 'string', pattern: `^\\s*${DURATION.source.slice(1, -1)}\\s*$` },
  },
  milliseconds: { described: 'a whole number', schema: { type: 'integer', minimum: 1, maximum: LONGEST_MS } },
  /** A count, or a share of the members. */
  share: {
    described: 'a count such as `2`, or a share such as `2/3` or `0.6`',
    schema: {
      anyOf: [
        { type: 'number', exclusiveMinimum: 0, maximum: RANGES.quorum.max },
        { type: 'string', pattern: '^\\s*(\\d+( */ *\\d+)?|\\d*\\.\\d+)\\s*$' },
      ],
    },
  },
  json: { described: 'any value', schema: {} },
  schema: { described: 'a path, or a JSON Schema', schema: { anyOf: [TEXT, { type: 'object' }] } },
  path: { described: 'a path', schema: TEXT },
  /** The name of a branch. */
  branch: { described: 'text', schema: TEXT },
  /** A path or a URL of a repository. */
  repository: { described: '[a template](#templates)', schema: TEXT },
  'pipeline-name': { described: '[a name](#names)', schema: NAMED },
  /** The id of a new step. */
  id: { described: '[a name](#names)', schema: NAMED },
  /** The id of another step. */
  step: { described: 'a step', schema: TEXT },
  agent: { described: 'an agent', schema: NAMED },
  person: { described: 'a person or a group', schema: TEXT },
  member: { described: 'an agent, or `person("cfo")`', schema: TEXT },
  /** A mail address. */
  address: { described: 'text', schema: TEXT },
  channel: { described: 'a channel', schema: TEXT },
  /** A cron expression. */
  cron: { described: 'text', schema: TEXT },
  variable: { described: '[a name](#names)', schema: NAMED },
  /** A word that people and agents answer with. */
  choice: { described: '[a name](#names)', schema: NAMED },
  'output-name': { described: 'a file name', schema: { type: 'string', pattern: OUTPUT_NAME.source } },
  /** The name of the schema of items. */
  'item-name': { described: 'a file name', schema: { type: 'string', pattern: OUTPUT_NAME.source } },
  /** The path of a field of an item. */
  field: { described: 'text', schema: TEXT },
  trigger: {
    described:
      '`manual`, `cron "…"`, a mapping [of times](#keys-of-trigger) or [of a web hook](#keys-of-trigger-with-a-web-hook), or a list of all but the first',
    schema: {
      anyOf: [
        { type: 'string', pattern: '^\\s*(manual|cron\\s+(".*"|\'.*\'))\\s*$' },
        ...TRIGGERS,
        { type: 'array', minItems: 1, items: { anyOf: [CRON, ...TRIGGERS] } },
      ],
    },
  },
  escalation: {
    described: 'a list: agents, people, groups, `human`, `human("#channel")`, [levels](#keys-of-a-level-of-escalation)',
    schema: { anyOf: [LEVEL, { type: 'array', minItems: 1, items: LEVEL }] },
  },
  steps: { described: 'a list of steps', schema: { type: 'array', minItems: 1, items: { $ref: '#/definitions/step' } } },
  branches: {
    described: 'a list of steps, or of `{id, steps}`',
    schema: { type: 'array', minItems: 1, items: { $ref: '#/definitions/branch' } },
  },
} as const satisfies Record<string, SimpleTypeRow>;
export type SimpleType = keyof typeof SIMPLE_TYPES;
