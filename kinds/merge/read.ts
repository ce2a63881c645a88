import { entryOf, type MappingNode } from '../../compiler/read/node';
import { readActions } from '../../compiler/shape/action';
import { requireKey } from '../../compiler/shape/keys';
import type { ReadContext } from '../../compiler/shape/read-context';
import { branchAt } from '../../compiler/shape/repository';
import type { StepSource } from '../../compiler/shape/source';
import { templateAt } from '../../compiler/shape/template-value';
import { booleanOf, namesOf, textOf, wordOf } from '../../compiler/shape/values';
import { MERGE_STRATEGIES } from '../../plan/queue/queue-settings';
import type { MergeSource } from './source';

export function readMerge(node: MappingNode, _step: StepSource, { report }: ReadContext): MergeSource {
  const work: MergeSource = { kind: 'merge', from: [] };
  requireKey(node, 'from', 'a step of kind "merge"', report, 'name the steps whose worktrees are merged: `from: [build]`');
  requireKey(node, 'into', 'a step of kind "merge"', report, 'name the branch: `into: main`');
  const [from, into, test] = [entryOf(node, 'from'), entryOf(node, 'into'), entryOf(node, 'test')];
  work.from = (from && namesOf(from, report)) ?? [];
  if (from?.value.kind === 'sequence' && from.value.items.length === 0)
    report('shape.out-of-range', from.value.at, '"from" is an empty list', 'name a step with a worktree');
  const branch = into && branchAt(into, report) && templateAt(into, report);
  if (branch) work.into = branch;
  const command = test && textOf(test, report);
  if (command) work.test = command.value;
  const [strategy, conflict, cleanup] = [entryOf(node, 'strategy'), entryOf(node, 'on_conflict'), entryOf(node, 'cleanup')];
  const how = strategy && wordOf(strategy, MERGE_STRATEGIES, report);
  if (how) work.strategy = how.value;
  const actions = conflict && readActions(conflict, 'on_conflict', report);
  if (actions) work.onConflict = actions;
  if (cleanup && booleanOf(cleanup, report)) work.cleanup = true;
  return work;
}
