import { jsonInScript } from '../../plan/expressions/internal-functions';
import { field, isJsonObject, type Json, type JsonObject } from '../../plan/text/json';
import { asksApproval } from '../rendering/lobster-dry-run';

/** A workflow file as Lobster's `graph` sees it: its steps, each after the one before, and which reads which. Pure. */
export interface FileGraph {
  nodes: { id: string; type: string; details: string; gate: boolean }[];
  edges: { from: string; to: string; label: string }[];
}

const DETAILS_LIMIT = 80;
const CONDITION_LIMIT = 70;

export function graphOfFile(document: Json, args: Readonly<Record<string, Json>>): FileGraph {
  const list = isJsonObject(document) ? document['steps'] : undefined;
  const steps = Array.isArray(list) ? list.filter(isJsonObject) : [];
  const ids = new Set(steps.map((step) => String(step['id'])));
  const edges = new Map<string, FileGraph['edges'][number]>();
  const connect = (from: string, to: string, label: string): void => {
    const key = JSON.stringify([from, to, label]);
    if (!edges.has(key)) edges.set(key, { from, to, label });
  };
  let before: string | undefined;
  const nodes = steps.map((step) => {
    const id = String(step['id']);
    if (before !== undefined) connect(before, id, 'next');
    before = id;
    const readers: [Json | undefined, string][] = [[step['stdin'], 'stdin']];
    if (typeof step['for_each'] === 'string') readers.push([step['for_each'], 'for_each']);
    const condition = step['when'] ?? step['condition'];
    if (typeof condition === 'string') readers.push([condition, cut(`when: ${condition.trim()}`, CONDITION_LIMIT)]);
    for (const [value, label] of readers) for (const from of referencesIn(value)) if (ids.has(from)) connect(from, id, label);
    const { type, details } = describe(step, args);
    return { id, type, details: cut(details, DETAILS_LIMIT), gate: asksApproval(step['approval']) };
  });
  return { nodes, edges: [...edges.values()] };
}

/** The args of a run: the file's defaults, overridden by the caller's. */
export function argsOfFile(document: Json, given: Readonly<Record<string, Json>>): Record<string, Json> {
  const declared = field(document, 'args');
  const defaults = Object.entries(isJsonObject(declared) ? declared : {}).flatMap(([name, spec]): [string, Json][] => {
    const value = isJsonObject(spec) && Object.hasOwn(spec, 'default') ? spec['default'] : undefined;
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries([...defaults, ...Object.entries(given)]);
}

function describe(step: JsonObject, args: Readonly<Record<string, Json>>): { type: string; details: string } {
  const shown = (key: string, word = key): { type: string; details: string } | undefined => {
    const text = step[key];
    return typeof text === 'string' && text.trim() !== '' ? { type: word, details: `${word}: ${graphWithArgs(text, args)}` } : undefined;
  };
  const { parallel } = step;
  if (isJsonObject(parallel)) return { type: 'parallel', details: `parallel (${String(parallel['wait'] ?? 'all')})` };
  const work = shown('for_each') ?? shown('workflow') ?? shown('pipeline') ?? shown('run') ?? shown('command', 'run');
  if (work) return work;
  if (asksApproval(step['approval'])) return { type: 'approval', details: 'approval gate' };
  return isJsonObject(step['input']) ? { type: 'input', details: 'input request' } : { type: 'step', details: '' };
}

/** `${arg}` by its text, as JavaScript writes it. */
export function graphWithArgs(text: string, args: Readonly<Record<string, Json>>): string {
  return text.replace(/\$\{([A-Za-z0-9_-]+)\}/g, (written, name: string) => {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    return value === undefined ? written : jsonInScript(value);
  });
}

/** Ids that `$id.field` names, wherever in a value, each once. */
function referencesIn(value: Json | undefined): string[] {
  if (value === undefined) return [];
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return [...new Set([...text.matchAll(/\$([A-Za-z0-9_-]+)\.[A-Za-z0-9_]/g)].map((match) => match[1] ?? ''))];
}

function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}
