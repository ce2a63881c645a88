import type { Report, Spot } from '../diagnostics/diagnostic';
import { type Entry, entryOf, type SourceNode } from '../read/node';
import type { KeywordProblem } from './schema-keywords';

/** Reports each where it stands. @param root the schema as it was read; without it, all stand at `otherwise` */
export function reportKeywords(problems: readonly KeywordProblem[], root: SourceNode | undefined, otherwise: Spot, report: Report): void {
  for (const { code, path, message, hint } of problems) {
    report(code, (root && placeIn(root, path, code === 'schema.bad-keyword')) ?? otherwise, message, hint);
  }
}

/** @param onKey the place of the last key itself, and not of its value */
function placeIn(root: SourceNode, path: KeywordProblem['path'], onKey: boolean): Spot | undefined {
  let node: SourceNode | undefined = root;
  let at: Spot | undefined = root.at;
  for (const key of path) {
    const entry: Entry | undefined = node?.kind === 'mapping' ? entryOf(node, String(key)) : undefined;
    const item: SourceNode | undefined = node?.kind === 'sequence' ? node.items[Number(key)] : undefined;
    node = entry?.value ?? item;
    at = onKey && entry ? entry.keyAt : node?.at;
  }
  return at;
}
