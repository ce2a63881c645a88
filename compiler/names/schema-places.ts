import type { SourceSpan } from '../diagnostics/diagnostic';
import { type Entry, entryOf, type SourceNode } from '../read/node';

/** The place of a part of a schema. @param onKey returns the place of the last key, not of its value */
export function spanInSchema(root: SourceNode, path: readonly (string | number)[], onKey: boolean): SourceSpan | undefined {
  let node: SourceNode | undefined = root;
  let at: SourceSpan | undefined = root.at;
  for (const key of path) {
    const entry: Entry | undefined = node?.kind === 'mapping' ? entryOf(node, String(key)) : undefined;
    const item: SourceNode | undefined = node?.kind === 'sequence' ? node.items[Number(key)] : undefined;
    node = entry?.value ?? item;
    at = onKey && entry ? entry.keyAt : node?.at;
  }
  return at;
}
