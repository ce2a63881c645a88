import type { Report } from '../diagnostics/diagnostic';
import { type Entry, entryOf, type MappingNode } from '../read/node';
import { readMapping } from './read-rows';
import type { StepSource } from './source';
import type { WorktreeSource } from './source-parts';
import { textOf } from './values';

/** Reads `worktree: true`, the id of a step whose worktree it continues in, or `{repo, remote, base, copy, setup, teardown, keep}`. */
export function readWorktree(node: MappingNode, step: StepSource, report: Report): void {
  const entry = entryOf(node, 'worktree');
  const found = entry && readOne(entry, report);
  if (found) step.worktree = found;
}

function readOne(entry: Entry, report: Report): WorktreeSource | undefined {
  const { value, keyAt: at } = entry;
  if (value.kind === 'scalar' && typeof value.value === 'boolean') return value.value ? { kind: 'own', at } : undefined;
  if (value.kind === 'scalar') {
    const step = textOf(entry, report);
    return step && { kind: 'of', at, step };
  }
  const takes = 'true, the id of a step, or a mapping such as {base: main}';
  const own = readMapping(entry, 'worktree', { report }, { takes });
  return own && { kind: 'own', at, ...own };
}
