import { Ajv } from 'ajv';
import { load } from 'js-yaml';
import { compilePipeline, type Diagnostic, type Sources } from '../../compiler';
import { pipelineSchema } from '../../compiler/language/json-schema';
import type { Json, JsonObject } from '../../plan/text/json';

/**
 * The surroundings in which an example is compiled: every agent exists, outputs have open schemas, and there is another pipeline to run.
 * `draft` is a step with a worktree before the example, `ticker` an arg, `chief` the owner.
 */
const CHILD = 'name: child\nargs: {title: }\nsteps:\n  - {id: hello, run: "echo hello"}\n';

export const SOURCES: Sources = {
  read: (path) => {
    if (/^agents\/[a-z_]+\.yaml$/.test(path)) return 'role: Works.\nreports_to: human\ntools: [read_file, grep]\n';
    if (/^schemas\/[A-Za-z_]+\.schema\.json$/.test(path)) return '{"type": "object"}';
    return path === 'child.yaml' ? CHILD : undefined;
  },
  list: () => [],
};

export const FILE: JsonObject = {
  name: 'example',
  owner: 'chief',
  args: { ticker: { type: 'string', default: 'BTC' } },
  channels: { '#desk': {}, '#errors': {} },
};
export const DRAFT: JsonObject = { id: 'draft', agent: 'writer', output: 'Draft.json', worktree: true };

/** Errors of a whole file: the compiler's, and those of the JSON Schema, which must accept all that compiles. */
export function errorsOfText(text: string): string[] {
  return [...errors(compilePipeline('pipeline.yaml', text, SOURCES).diagnostics), ...complaintsOfSchema(load(text))];
}

export function errorsOf(file: Json): string[] {
  return [...compileErrors(file), ...complaintsOfSchema(file)];
}

export function compiles(file: Json): boolean {
  return compileErrors(file).length === 0;
}

function compileErrors(file: Json): string[] {
  return errors(compilePipeline('pipeline.json', JSON.stringify(file, null, 1), SOURCES).diagnostics);
}

function errors(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.filter((d) => d.severity === 'error').map((d) => `${d.code} ${d.message}`);
}

const fits = new Ajv({ strict: false, allErrors: true }).compile(pipelineSchema());

export function complaintsOfSchema(file: unknown): string[] {
  return fits(file) ? [] : (fits.errors ?? []).map((e) => `JSON Schema: ${e.instancePath} ${e.message}`);
}

/** The value of a row's example. */
export function exampleValue(example: string): Json {
  return JSON.parse(JSON.stringify(load(example))) as Json;
}
