import { field, isJsonObject, type Json, type JsonObject } from '../../../plan/text/json';
import { type MessagesReply, sayJson } from '../../support/messages-server/served';
import type { Received, Serve } from '../../support/model-server/received';
import type { Served } from '../../support/model-server/served';

/** A request as its agent reads it: nothing but texts. */
export interface Told {
  /** The agent's name, from `You are …`. */
  who: string;
  /** The newest message. */
  task: string;
  /** Everything, the standing instructions first. */
  whole: string;
}

/**
 * An agent's own part of its answer, in addition to what the form requires and without the fields that the form calls missing; or a fault
 * that is served in place of a reply.
 */
export type Acts = (told: Told) => JsonObject | Served<MessagesReply> | undefined;

/**
 * Agents that know only what their request says: they find the form of their answer, the day and the market in the request, and fill the
 * rest with the least that the form accepts. `acts` says what is particular about the answer of each.
 */
export function toldAgents(acts: Readonly<Record<string, Acts>>): Serve<MessagesReply> {
  return (request) => {
    const told = plainBy(request);
    const own = acts[told.who]?.(told);
    if (own !== undefined && isServed(own)) return own;
    const missing = [own?.['missing_fields'] ?? []].flat();
    const report = Object.entries({ ...reportOf(told), ...own }).filter(([name]) => !missing.includes(name));
    return sayJson(Object.fromEntries(report));
  };
}

function isServed(own: JsonObject | Served<MessagesReply>): own is Served<MessagesReply> {
  return 'kind' in own;
}

function plainBy({ body, said }: Received): Told {
  const whole = `${textIn(body['system'])}\n${textIn(body['messages'])}`;
  return { who: /You are ([^\n]+?)\.?\n/.exec(whole)?.[1] ?? 'nobody', task: said, whole };
}

function textIn(part: Json | undefined): string {
  if (typeof part === 'string') return part;
  if (Array.isArray(part)) return part.map(textIn).join('\n');
  return isJsonObject(part) ? textIn(part['content'] ?? part['text']) : '';
}

/** The newest form that the agent has been told. */
function reportOf({ whole }: Told): JsonObject {
  const forms = [...whole.matchAll(/must satisfy this JSON Schema:\s+(`{3,})json\n([\s\S]*?)\n\1/g)];
  const schema = JSON.parse(forms.at(-1)?.[2] ?? '{}') as Json;
  const facts = { date: newest(whole, /(?<=Date: )\d{4}-\d\d-\d\d/g), market: newest(whole, /(?<=\nmarket: )[^\n]+/g) };
  const filled = fill(schema, facts, '');
  return isJsonObject(filled) ? filled : {};
}

function newest(text: string, pattern: RegExp): string {
  return [...text.matchAll(pattern)].at(-1)?.[0] ?? 'nobody said';
}

/** The smallest value that a schema accepts; if it lists words, the first one. */
function fill(schema: Json, facts: Readonly<Record<string, string>>, name: string): Json {
  const words = field(schema, 'enum');
  if (Array.isArray(words)) return words[0] ?? null;
  switch (field(schema, 'type')) {
    case 'object': {
      const fields = field(schema, 'properties');
      const asked = Object.entries(isJsonObject(fields) ? fields : {}).filter(
        // `findings` stand in for `issues`.
        ([key]) => key !== 'missing_fields' && key !== 'revise_target' && key !== 'findings',
      );
      return Object.fromEntries(asked.map(([key, one]) => [key, fill(one, facts, key)]));
    }
    case 'array':
      return Array.from({ length: Number(field(schema, 'minItems') ?? 1) }, () => fill(field(schema, 'items') ?? {}, facts, name));
    case 'number':
    case 'integer':
      return field(schema, 'exclusiveMinimum') === undefined ? 0 : 1;
    case 'boolean':
      return false;
    default:
      return facts[name] ?? 'As it is known.';
  }
}

/** An input of the task, by its name. */
export function inputOf({ task, whole }: Told, name: string): JsonObject {
  const pattern = new RegExp(`^## ${name}\\b[^\\n]*\\n+(\`{3,})json\\n([\\s\\S]*?)\\n\\1`, 'gm');
  const found = [...task.matchAll(pattern), ...whole.matchAll(pattern)].at(0)?.[2];
  const value: Json = found === undefined ? null : JSON.parse(found);
  if (!isJsonObject(value)) throw new Error(`no input ${name} in:\n${task}`);
  return value;
}
