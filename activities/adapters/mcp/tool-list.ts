import { setImmediate } from 'node:timers/promises';
import type { ValidateFunction } from 'ajv';
import type { ToolSpec } from '../../../plan/agents/tool';
import { defined } from '../../../plan/defined';
import { field, isJsonObject, type Json, type JsonObject } from '../../../plan/text/json';
import { beginning } from '../../../plan/text/shortened';
import { compileSchema } from '../../json-schema';
import type { Connection } from './connection';
import type { ServerLimits } from './limits';
import { plainSchema } from './plain-schema';

/** A tool as its server describes it. */
export interface ListedTool {
  spec: ToolSpec;
  /** The check of its structured results, if it promises any. */
  promised?: ValidateFunction;
}

/** A name as people see it. */
const MOST_NAME = 100;

/** The tool names that services accept. */
const FULL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

export interface ToolList {
  /** The usable wanted tools. */
  tools: Map<string, ListedTool>;
  /** The names of all tools. */
  names: string[];
  /** Why others that were wanted are missing, a sentence each. */
  leftOut: string[];
}

/**
 * The tools of a server, page by page; for unwanted ones only the names. A tool with an unusable description is left out, and the log says
 * why; an invalid list is an error. Rejects as `Connection.request`.
 *
 * @param only the wanted tools. Absent: all
 */
export async function listTools(
  server: string,
  connection: Connection,
  { limits, log, only }: { limits: ServerLimits; log: (message: string) => void; only?: ReadonlySet<string> },
  signal: AbortSignal,
): Promise<ToolList> {
  const list: ToolList = { tools: new Map(), names: [], leftOut: [] };
  const { tools, names, leftOut } = list;
  const leaveOut = (why: string): void => {
    log(why);
    leftOut.push(why);
  };
  let cursor: Json | undefined;
  for (let page = 1; ; page++) {
    const result = await connection.request('tools/list', cursor === undefined ? {} : { cursor }, signal);
    const listed = field(result, 'tools');
    if (!Array.isArray(listed)) throw new Error('its list of tools is not a list');
    for (const one of listed) {
      const name = field(one, 'name');
      if (typeof name === 'string') names.push(beginning(name, MOST_NAME));
      if (only && !(typeof name === 'string' && only.has(name))) continue;
      if (tools.size >= limits.tools) {
        leaveOut(`it has more than ${limits.tools} tools; the rest are left out`);
        return list;
      }
      // Compiling a schema takes time: other work of the worker gets its turn between two.
      await setImmediate();
      const read = readTool(server, one, tools, limits);
      if (typeof read === 'string') leaveOut(`a tool is left out: ${read}`);
      else tools.set(read.spec.name, read);
    }
    cursor = field(result, 'nextCursor');
    if (typeof cursor !== 'string' || cursor === '') return list;
    if (page >= limits.pages) {
      leaveOut(`its list has more than ${limits.pages} pages; the rest are left out`);
      return list;
    }
  }
}

/** Returns in words why a tool cannot be used. */
function readTool(server: string, value: Json, known: ReadonlyMap<string, unknown>, limits: ServerLimits): ListedTool | string {
  const name = field(value, 'name');
  if (typeof name !== 'string' || name === '' || !isJsonObject(value)) return 'it has no name';
  const shown = JSON.stringify(beginning(name, MOST_NAME));
  if (!FULL_NAME.test(`mcp__${server}__${name}`)) return `${shown} does not fit mcp__${server}__NAME in 64 characters of A-Z a-z 0-9 _ -`;
  if (known.has(name)) return `${shown} is listed twice; the first counts`;
  if (field(value['execution'], 'taskSupport') === 'required') return `${shown} runs only as a task, which is not supported here`;
  const input = plainSchema(value['inputSchema'] ?? null, limits.schemaCharacters);
  const problem = 'problem' in input ? input.problem : inputProblem(input.schema);
  if (problem !== undefined || 'problem' in input) return `${shown}: ${problem}`;
  const promised = promiseOf(value['outputSchema'], limits);
  const spec = { name, description: describe(value, name, limits.descriptionCharacters), parameters: input.schema };
  return { spec, ...defined({ promised }) };
}

function inputProblem(schema: JsonObject): string | undefined {
  if (schema['type'] !== 'object') return 'its schema is not one of an object';
  const validate = compileSchema(schema);
  return typeof validate === 'string' ? `its schema is not a JSON Schema: ${validate.slice(0, 300)}` : undefined;
}

/** An unreadable promise counts as none. */
function promiseOf(schema: Json | undefined, { schemaCharacters }: ServerLimits): ValidateFunction | undefined {
  const plain = schema === undefined ? undefined : plainSchema(schema, schemaCharacters);
  const validate = plain && 'schema' in plain ? compileSchema(plain.schema) : undefined;
  return typeof validate === 'function' ? validate : undefined;
}

function describe(tool: JsonObject, name: string, most: number): string {
  const text = [tool['description'], tool['title'], name].find((one) => typeof one === 'string' && one.trim() !== '');
  const description = typeof text === 'string' ? text : name;
  return description.length <= most ? description : `${description.slice(0, most)}… (${description.length - most} more characters)`;
}
