import type { Report } from '../../compiler/diagnostics/diagnostic';
import { nearest } from '../../compiler/diagnostics/suggest';
import { type Entry, entryOf, type MappingNode } from '../../compiler/read/node';
import { checkKeys } from '../../compiler/shape/keys';
import { stepsHint } from '../../compiler/shape/list-hint';
import { conflict, mappingOf } from '../../compiler/shape/values';
import { bodyKeys } from '../../compiler/shape/vocabulary';

const NESTED = bodyKeys('parallel');

/** Replaces branches that did not read: their mistakes have been reported. */
const UNREAD = { kind: 'scalar', value: null, text: '', style: 'plain', indent: 0, faulty: true } as const;

/** Lobster writes the keys of a parallel step into one: `parallel: {wait, timeout_ms, branches}`. They mean the same there. */
export function withNestedParallel(node: MappingNode, report: Report): MappingNode {
  const entry = entryOf(node, 'parallel');
  if (!entry) return node;
  if (entry.value.kind === 'sequence' && !entryOf(node, 'branches'))
    return { ...node, entries: node.entries.map((other) => (other === entry ? { ...entry, key: 'branches' } : other)) };
  const body = mappingOf(entry, report, 'a mapping such as {wait: all, branches: […]}');
  const others = node.entries.filter((other) => other !== entry);
  const unread = { ...entry, key: 'branches', value: { ...UNREAD, at: entry.value.at } };
  if (!body) return { ...node, entries: [...others, unread] };
  const branches = entryOf(body, 'branches') || entryOf(node, 'branches') ? [] : body.entries.filter(isBranch);
  const [first] = branches;
  if (first) {
    report('shape.unknown-key', first.keyAt, `"parallel" has no key "${first.key}"`, stepsHint('branches', { ...body, entries: branches }));
    return { ...node, entries: [...others, unread] };
  }
  checkKeys(body, { what: '"parallel"', known: NESTED }, report);
  const moved = body.entries.filter((inner) => {
    if (!NESTED.includes(inner.key)) return false;
    const outer = others.find((other) => other.key === inner.key);
    if (outer) conflict(outer, inner, report);
    return !outer;
  });
  return { ...node, entries: [...others, ...moved] };
}

/** Whether a key is the name of a branch, and not one of the step's that is misspelt. */
function isBranch({ key, value }: Entry): boolean {
  return !NESTED.includes(key) && value.kind !== 'sequence' && nearest(key, NESTED) === undefined;
}
