import type { Report } from '../diagnostics/diagnostic';
import { entryOf, type MappingNode } from '../read/node';
import { checkKeys } from './keys';
import { conflict, mappingOf } from './values';
import { bodyKeys } from './vocabulary';

const NESTED = bodyKeys('parallel');

/** Replaces branches that did not read: their mistakes have been reported. */
const UNREAD = { kind: 'scalar', value: null, text: '', style: 'plain', indent: 0, faulty: true } as const;

/** Lobster writes the keys of a parallel step into one: `parallel: {wait, timeout_ms, branches}`. They mean the same there. */
export function withNestedParallel(node: MappingNode, report: Report): MappingNode {
  const entry = entryOf(node, 'parallel');
  if (!entry) return node;
  const body = mappingOf(entry, report, 'a mapping such as {wait: all, branches: […]}');
  const others = node.entries.filter((other) => other !== entry);
  if (!body) return { ...node, entries: [...others, { ...entry, key: 'branches', value: { ...UNREAD, at: entry.value.at } }] };
  checkKeys(body, { what: '"parallel"', known: NESTED }, report);
  const moved = body.entries.filter((inner) => {
    if (!NESTED.includes(inner.key)) return false;
    const outer = others.find((other) => other.key === inner.key);
    if (outer) conflict(outer, inner, report);
    return !outer;
  });
  return { ...node, entries: [...others, ...moved] };
}
