import { Ajv, type ErrorObject } from 'ajv';
import addFormats from 'ajv-formats';
import type { Json } from '../../plan/text/json';
import { readSchema, schemaNames } from './program-files';

const complaints: string[] = [];
const note = (...words: unknown[]) => void complaints.push(words.join(' '));
const ajv = new Ajv({ allErrors: true, logger: { log: note, warn: note, error: note } });
addFormats(ajv);
const checks = new Map(schemaNames.map((name) => [name, ajv.compile(readSchema(name))]));

/** The complaints of ajv's strict mode about the schemas. */
export const strictModeComplaints = (): readonly string[] => complaints;

/** The errors that ajv finds in a report. */
export function problemsOf(schema: string, report: Json): ErrorObject[] {
  const check = checks.get(schema);
  if (!check) throw new Error(`no schema ${schema}`);
  return check(report) ? [] : (check.errors ?? []);
}

/** The required fields that a report lacks, such as `key_levels[].evidence`, sorted and without duplicates. */
export function missingFields(schema: string, report: Json): string[] {
  const missing = problemsOf(schema, report)
    .filter((problem) => problem.keyword === 'required')
    .map((problem) => [...problem.instancePath.split('/').slice(1), String(problem.params['missingProperty'])]);
  const named = missing.map((path) => path.join('.').replace(/\.\d+(?=\.)/g, '[]'));
  return [...new Set(named)].sort();
}

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  required?: string[];
}

/** Every leaf of a schema by its path; a list is written `name[]`, a list of two `name[2]`. */
export function leavesOf(schema: Schema & { maxItems?: number }, path = ''): Map<string, Schema> {
  if (schema.properties) {
    const below = Object.entries(schema.properties).map(([key, value]) => leavesOf(value, path === '' ? key : `${path}.${key}`));
    return new Map(below.flatMap((leaves) => [...leaves]));
  }
  if (schema.items) return leavesOf(schema.items, `${path}[${schema.maxItems ?? ''}]`);
  return new Map([[path, schema]]);
}

/** The fields of a report that its schema does not name. */
export function unnamedFields(schema: string, report: Json): string[] {
  const known = new Set([...leavesOf(readSchema(schema)).keys()].map((path) => path.replace(/\[2\]/g, '[]')));
  return leavesOfValue(report, '').filter((path) => !known.has(path) && !isEmptyList(path, known));
}

function leavesOfValue(value: Json, path: string): string[] {
  if (Array.isArray(value)) return value.length === 0 ? [path] : [...new Set(value.flatMap((item) => leavesOfValue(item, `${path}[]`)))];
  if (value === null || typeof value !== 'object') return [path];
  return Object.entries(value).flatMap(([key, item]) => leavesOfValue(item, path === '' ? key : `${path}.${key}`));
}

const isEmptyList = (path: string, known: ReadonlySet<string>) => [...known].some((name) => name.startsWith(`${path}[]`));
