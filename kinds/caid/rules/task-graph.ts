import { isTexts } from '../../../plan/people/gate';
import { isJsonObject, type Json } from '../../../plan/text/json';

/** A manager's division of the work, as its JSON: units of work, and which of them have to be merged before which. */
export interface TaskGraph {
  units: GraphUnit[];
  /** Paths that no engineer may touch, as patterns of git's `:(glob)`; in addition to the default set and the step's own. */
  restricted?: string[];
  /** What the manager doubts; shown with the graph. */
  warnings?: string[];
}

/** One unit goes to one engineer at a time, and lands as one candidate. */
export interface GraphUnit {
  /** `[a-z][a-z0-9_-]*`, up to 64 characters: part of refs and addresses. */
  id: string;
  /** One line, which becomes part of the commit message. */
  title: string;
  description: string;
  /** The files that it owns, relative to the repository. */
  files: string[];
  /** For a large file that several units share: the functions that this one owns. Absent: it owns its files whole. */
  functions?: string[];
  /** Ids of units that must be merged before this one begins. */
  depends_on: string[];
  priority?: UnitPriority;
  acceptance?: Acceptance;
}

/** Which of the ready units goes first: each part counts before the next. */
export interface UnitPriority {
  /** It makes tests run that cannot run before. */
  enables_tests?: boolean;
  /** 1 (simple) to 5. @default 3 */
  complexity?: number;
}

/** How an engineer knows that a unit is complete. */
export type Acceptance = {
  /** The tests that have to pass, in words or as names of files. */
  test?: string;
  /** A shell command, run in the worktree; the gate runs it in the merged tree as well. */
  command?: string;
};

/** The pattern of a unit's id: part of addresses and refs. */
const UNIT_ID = '^[a-z][a-z0-9_-]{0,63}$';
/** A manager that names more has not divided the work but listed it. */
export const MOST_UNITS = 100;
/** The limit of a graph, which expressions read as a whole. */
export const MOST_GRAPH_KIB = 64;
const MOST_FILES_OF_UNIT = 100;
/** The complexity of a unit whose manager gives none. */
export const DEFAULT_COMPLEXITY = 3;

const TEXT = { type: 'string', minLength: 1, maxLength: 4000 } as const;
const LINE = { type: 'string', minLength: 1, maxLength: 200 } as const;
const PATH = { type: 'string', minLength: 1, maxLength: 1000 } as const;
const ID = { type: 'string', pattern: UNIT_ID } as const;

/** The JSON Schema of a manager's answer. What it cannot express (cycles, shared files) is checked in `check-graph.ts`. */
export const TASK_GRAPH_SCHEMA = {
  type: 'object',
  required: ['units'],
  properties: {
    units: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'title', 'description', 'files', 'depends_on'],
        properties: {
          id: ID,
          title: LINE,
          description: TEXT,
          files: { type: 'array', items: PATH, minItems: 1, maxItems: MOST_FILES_OF_UNIT },
          functions: { type: 'array', items: LINE },
          depends_on: { type: 'array', items: ID },
          priority: {
            type: 'object',
            properties: { enables_tests: { type: 'boolean' }, complexity: { type: 'integer', minimum: 1, maximum: 5 } },
            additionalProperties: false,
          },
          acceptance: { type: 'object', properties: { test: TEXT, command: TEXT }, additionalProperties: false },
        },
        additionalProperties: false,
      },
    },
    restricted: { type: 'array', items: PATH },
    warnings: { type: 'array', items: TEXT },
  },
  additionalProperties: false,
} as const;

/** An answer that satisfied its schema, as a graph; undefined for any other. */
export function readTaskGraph(answer: Json): TaskGraph | undefined {
  return isTaskGraph(answer) ? answer : undefined;
}

function isTaskGraph(answer: unknown): answer is TaskGraph {
  if (!isJsonObject(answer)) return false;
  const { units, restricted = [], warnings = [] }: Partial<Record<string, unknown>> = answer;
  return Array.isArray(units) && units.every(isUnit) && isTexts(restricted) && isTexts(warnings);
}

function isUnit(unit: unknown): unit is GraphUnit {
  if (!isJsonObject(unit)) return false;
  const {
    id,
    title,
    description,
    files,
    depends_on,
    functions = [],
    priority = {},
    acceptance = {},
  }: Partial<Record<string, unknown>> = unit;
  const isNamed = [id, title, description].every((text) => typeof text === 'string');
  return isNamed && isTexts(files) && isTexts(depends_on) && isTexts(functions) && isJsonObject(priority) && isJsonObject(acceptance);
}
