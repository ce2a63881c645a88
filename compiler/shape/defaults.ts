import { traitsOf } from '../../kinds/traits';
import type { Report } from '../diagnostics/diagnostic';
import { redefines } from '../language/kinds';
import { type Entry, entryOf, type MappingNode } from '../read/node';
import { checkKeys } from './keys';
import { mappingOf } from './values';
import { ALL_STEP_KEYS, keysOf, STEP_KEYS, type WrittenKind } from './vocabulary';

/** The keys under `defaults:`: each goes to every step whose kind takes it and which does not have it. */
export type Defaults = readonly Entry[];

/** Kinds with steps within them. Retries of both would multiply, and a timeout meant for one step does not suit a whole container. */
const hasStepsWithin = (kind: WrittenKind): boolean => traitsOf(kind).container !== undefined || traitsOf(kind).child === true;
const NOT_FOR_CONTAINERS: readonly string[] = ['retry', 'timeout', 'timeout_ms', 'on_error'];

/** Two spellings of one value: a step that has either has the key. */
const TWINS: Readonly<Record<string, string>> = { timeout: 'timeout_ms', timeout_ms: 'timeout' };

export function readDefaults(entry: Entry | undefined, report: Report): Defaults {
  const node = entry && mappingOf(entry, report, 'a mapping of step keys, such as {timeout: 10m}');
  if (!node) return [];
  const known = keysOf('defaults');
  checkKeys(node, { what: '"defaults"', known, elsewhere: ALL_STEP_KEYS }, report);
  return node.entries.filter(({ key }) => known.includes(key));
}

export function withDefaults(node: MappingNode, kind: WrittenKind, defaults: Defaults): MappingNode {
  const added = defaults.filter(({ key }) => {
    const twin = TWINS[key];
    if (redefines(kind, key) || (hasStepsWithin(kind) && NOT_FOR_CONTAINERS.includes(key))) return false;
    return STEP_KEYS[kind].includes(key) && !entryOf(node, key) && (twin === undefined || !entryOf(node, twin));
  });
  return added.length === 0 ? node : { ...node, entries: [...node.entries, ...added] };
}

/** Reports a mistake in a default once, although it affects every step that takes it. */
export function onceWithin(entry: Entry | undefined, report: Report): Report {
  if (!entry) return report;
  const { source, start, end } = entry.value.at;
  const said = new Set<string>();
  return (code, at, message, hint) => {
    const inside = at.source === source && at.start >= start && at.end <= end;
    const key = `${code}@${at.start}`;
    if (inside && said.has(key)) return;
    if (inside) said.add(key);
    report(code, at, message, hint);
  };
}
