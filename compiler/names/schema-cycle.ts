import { field, isJsonObject, type Json, type JsonObject } from '../../plan/text/json';
import { percentDecoded } from '../../plan/text/percent-decoded';

/**
 * Finds a schema that applies itself to the very same value, so that validating would never end; returns the reference that leads there. A
 * schema that applies itself to a part of the value is a tree, and fine. Walks without recursion.
 */
export function findSchemaCycle(root: JsonObject): string | undefined {
  const seen = new Map<JsonObject, 'on the way' | 'done'>();
  for (const start of objectsIn(root)) {
    const way: Visit[] = [];
    const enter = (node: JsonObject): void => {
      seen.set(node, 'on the way');
      way.push({ node, next: askedOfTheSame(node, root) });
    };
    if (!seen.has(start)) enter(start);
    for (let here = way.at(-1); here; here = way.at(-1)) {
      const step = here.next.pop();
      if (!step) {
        seen.set(here.node, 'done');
        way.pop();
      } else if (seen.get(step.node) === 'on the way') return `"$ref": "${refOn(way, step)}" refers to itself without end`;
      else if (!seen.has(step.node)) enter(step.node);
    }
  }
  return undefined;
}

interface Step {
  node: JsonObject;
  /** Absent: the schema is within the one that applies it. */
  ref?: string;
}

interface Visit {
  node: JsonObject;
  next: Step[];
}

const ONE = ['not', 'if', 'then', 'else'];
const LISTS = ['allOf', 'anyOf', 'oneOf'];
const MAPS = ['dependentSchemas', 'dependencies'];

/** The schemas that this one applies to the same value. */
function askedOfTheSame(node: JsonObject, root: JsonObject): Step[] {
  const within = [
    ...ONE.map((key) => node[key]),
    ...LISTS.flatMap((key) => node[key] ?? []),
    ...MAPS.flatMap((key) => Object.values(isJsonObject(node[key]) ? node[key] : {})),
  ];
  const ref = field(node, '$ref');
  const target = typeof ref === 'string' ? targetOf(ref, root) : undefined;
  return [...within.flatMap((one) => (isJsonObject(one) ? [{ node: one }] : [])), ...(target ? [target] : [])];
}

/** The target of a reference by its place in this schema; other references are not followed. */
function targetOf(ref: string, root: JsonObject): Step | undefined {
  if (ref !== '#' && !ref.startsWith('#/')) return undefined;
  let here: Json | undefined = root;
  for (const part of ref.split('/').slice(1)) here = field(here, nameOf(part)) ?? (Array.isArray(here) ? here[Number(part)] : undefined);
  return isJsonObject(here) ? { node: here, ref } : undefined;
}

function nameOf(part: string): string {
  return percentDecoded(part)?.replaceAll('~1', '/').replaceAll('~0', '~') ?? part;
}

/** The reference that closes the circle, or the last before it that leads there. */
function refOn(way: readonly Visit[], { node, ref }: Step): string {
  if (ref !== undefined) return ref;
  const from = way.findIndex((visit) => visit.node === node);
  return (
    way
      .slice(from)
      .map((visit) => field(visit.node, '$ref'))
      .find((one) => typeof one === 'string') ?? '#'
  );
}

function* objectsIn(root: JsonObject): Generator<JsonObject> {
  const queue: Json[] = [root];
  for (let here = queue.pop(); here !== undefined; here = queue.pop()) {
    if (isJsonObject(here)) yield here;
    if (typeof here === 'object' && here !== null) for (const inner of Object.values(here)) queue.push(inner);
  }
}
