import type { Path } from '../../plan/expressions/expression';
import { field, type Json } from '../../plan/text/json';
import { enumOf, schemaAt } from './schema-path';

/**
 * What is known of a value before anything runs: the output of a step, a loop's item, an arg. `within` leads from the root of a schema to
 * the part that describes the value, so that the schema's own references keep their meaning.
 */
export type OutputShape =
  | { kind: 'open' }
  /** The step has no output. */
  | { kind: 'none' }
  | { kind: 'schema'; root: Json; within: Path }
  /** These fields and no others. */
  | { kind: 'fields'; fields: ReadonlyMap<string, OutputShape> }
  | { kind: 'list'; of: OutputShape };

export const OPEN: OutputShape = { kind: 'open' };
export const NOTHING: OutputShape = { kind: 'none' };

export type ShapeAtPath = { kind: 'found'; shape: OutputShape } | { kind: 'absent'; index: number; known: string[] };

export function shapeAt(shape: OutputShape, path: Path): ShapeAtPath {
  let here = shape;
  for (const [index, key] of path.entries()) {
    if (here.kind === 'open' || here.kind === 'none') return { kind: 'found', shape: OPEN };
    if (here.kind === 'schema') return inSchema(here, path, index);
    if (here.kind === 'list') {
      if (typeof key !== 'number') return { kind: 'absent', index, known: ['[0]'] };
      here = here.of;
      continue;
    }
    const next = typeof key === 'string' ? here.fields.get(key) : undefined;
    if (!next) return { kind: 'absent', index, known: [...here.fields.keys()] };
    here = next;
  }
  return { kind: 'found', shape: here };
}

function inSchema({ root, within }: Extract<OutputShape, { kind: 'schema' }>, path: Path, from: number): ShapeAtPath {
  const whole = [...within, ...path.slice(from)];
  const answer = schemaAt(root, whole);
  if (answer.kind === 'absent') return { kind: 'absent', index: answer.index - within.length + from, known: answer.known };
  return { kind: 'found', shape: { kind: 'schema', root, within: whole } };
}

/** The shape of each item of a list. */
export function itemOf(shape: OutputShape): OutputShape {
  if (shape.kind === 'list') return shape.of;
  if (shape.kind !== 'schema') return OPEN;
  const answer = shapeAt(shape, [0]);
  return answer.kind === 'found' ? answer.shape : OPEN;
}

/** Whether a value can be a list, as far as is known. */
export function mayBeList(shape: OutputShape): boolean {
  if (shape.kind !== 'schema') return shape.kind !== 'fields';
  const answer = schemaAt(shape.root, shape.within);
  if (answer.kind === 'schema' && enumOf(answer.schema)?.some(Array.isArray) === false) return false;
  const type = answer.kind === 'schema' ? field(answer.schema, 'type') : undefined;
  return type === undefined || type === 'array' || (Array.isArray(type) && type.includes('array'));
}

/** The values that a value may have, if its schema lists them. */
export function valuesOf(shape: OutputShape): Json[] | undefined {
  if (shape.kind !== 'schema') return undefined;
  const answer = schemaAt(shape.root, shape.within);
  return answer.kind === 'schema' ? enumOf(answer.schema) : undefined;
}
