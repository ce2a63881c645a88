import type { ErrorObject } from 'ajv';
import { type Fault, WHOLE_REPLY } from '../../plan/agents/reply-fault';
import { field, isJsonObject, type Json } from '../../plan/text/json';
import { MISSING, pathOfPointer, reasonOf } from '../json-schema';

/** How many parts of a value are examined, over all faults, to see whether all items of a list share one. */
const MOST_LOOKED = 2000;

type Segment = string | number;

/** A value's violations of its schema, place by place, each fault once: `[]` for an index if every item there has the same. */
export function faultsOf(errors: readonly ErrorObject[], value: Json): Fault[] {
  const groups = new Map<string, { place: Segment[]; added: string | undefined; reason: string; paths: Set<string> }>();
  for (const error of errors) {
    const place = placeAt(error.instancePath, value);
    const added = addedBy(error);
    const reason = isBlank(error, value) ? MISSING : reasonOf(error, pathOfPointer(error.instancePath, value).part);
    const key = JSON.stringify([place.map(generic), added, reason]);
    const group = groups.get(key) ?? { place, added, reason, paths: new Set() };
    groups.set(key, group);
    group.paths.add(writtenPlace(place, added));
  }
  const looked = { left: MOST_LOOKED };
  return [...groups.values()].flatMap(({ place, added, reason, paths }): Fault[] => {
    const items = place.slice(0, place.findLastIndex((one) => typeof one === 'number') + 1);
    const everywhere = items.length > 0 && countPlaces(value, items, paths.size, looked) === paths.size;
    return everywhere ? [{ path: writtenPlace(place.map(generic), added), reason }] : [...paths].map((path) => ({ path, reason }));
  });
}

/** A blank text counts as missing if the schema wants one with content. */
function isBlank({ keyword, instancePath }: ErrorObject, value: Json): boolean {
  if (keyword !== 'minLength' && keyword !== 'pattern') return false;
  const { part } = pathOfPointer(instancePath, value);
  return typeof part === 'string' && part.trim() === '';
}

/** A field that is missing, or that may not be there: the fault is its, and not the object's. */
function addedBy({ keyword, params }: ErrorObject): string | undefined {
  const name: unknown = keyword === 'required' ? params['missingProperty'] : params['additionalProperty'];
  return typeof name === 'string' ? name : undefined;
}

function placeAt(pointer: string, value: Json): Segment[] {
  let part: Json | undefined = value;
  return pointer
    .split('/')
    .slice(1)
    .map((raw) => {
      const key = raw.replaceAll('~1', '/').replaceAll('~0', '~');
      const segment = Array.isArray(part) ? Number(key) : key;
      part = Array.isArray(part) ? part[Number(key)] : field(part, key);
      return segment;
    });
}

const ANY = '[]';

function generic(segment: Segment): Segment {
  return typeof segment === 'number' ? ANY : segment;
}

/** `key_levels[2].type` of a place in a value. */
export function writtenPlace(place: readonly Segment[], added?: string): string {
  let path = '';
  for (const segment of added === undefined ? place : [...place, added]) {
    if (typeof segment === 'number') path += `[${segment}]`;
    else if (segment === ANY) path += ANY;
    else path += path === '' ? segment : `.${segment}`;
  }
  return path === '' ? WHOLE_REPLY : path;
}

/** How many places match this one, ignoring indices; stops once there are more than `enough`. */
function countPlaces(value: Json, place: readonly Segment[], enough: number, looked: { left: number }): number {
  const count = (part: Json | undefined, at: number): number => {
    looked.left -= 1;
    if (part === undefined) return 0;
    // If too many would have to be examined, it is unknown whether all share it.
    if (looked.left < 0) return enough + 1;
    const segment = place[at];
    if (segment === undefined) return 1;
    if (typeof segment === 'string') return isJsonObject(part) ? count(field(part, segment), at + 1) : 0;
    if (!Array.isArray(part)) return 0;
    let found = 0;
    for (const item of part) {
      found += count(item, at + 1);
      if (found > enough) break;
    }
    return found;
  };
  return count(value, 0);
}
