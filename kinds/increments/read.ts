import { RANGES } from '../../compiler/language/ranges';
import { type Entry, entryOf, type MappingNode } from '../../compiler/read/node';
import { readActions } from '../../compiler/shape/action';
import { formAt } from '../../compiler/shape/form';
import { checkKeys, requireKey } from '../../compiler/shape/keys';
import { quorumSetting } from '../../compiler/shape/quorum';
import type { ReadContext } from '../../compiler/shape/read-context';
import type { StepSource } from '../../compiler/shape/source';
import { templateAt } from '../../compiler/shape/template-value';
import { durationOf, integerOf, mappingOf, textOf } from '../../compiler/shape/values';
import { keysOf } from '../../compiler/shape/vocabulary';
import { INCREMENT_GATES } from './rules/words';
import type { IncrementsSource } from './source';

/** Reads who delivers what, and what each increment has to pass. */
export function readIncrements(node: MappingNode, step: StepSource, { report }: ReadContext): IncrementsSource {
  const get = (key: string): Entry | undefined => entryOf(node, key);
  const work: IncrementsSource = { kind: 'increments' };
  // It has one in any case: without it nothing could be rolled back.
  step.worktree ??= { kind: 'own', at: step.at };
  requireKey(node, 'plan', 'a step of kind "increments"', report, 'add `plan: $plan.tasks`, what is delivered');
  requireKey(node, 'executor', 'a step of kind "increments"', report, 'add `executor:`, the agent that does the tasks');
  const [plan, fixes, time, final, share, blocked] = ['plan', 'fixes', 'task_timeout', 'final', 'blocked_share', 'on_blocked'].map(get);
  const form = plan && formAt(plan, report);
  if (plan && form) work.plan = { form, at: plan.value.at };
  for (const key of ['executor', 'validator'] as const) {
    const entry = get(key);
    const name = entry && textOf(entry, report);
    if (name) work[key] = name;
  }
  readGates(work, get('gates'), { report });
  const [most, timeoutMs] = [fixes && integerOf(fixes, RANGES.fixes.min, RANGES.fixes.max, report), time && durationOf(time, report)];
  if (most !== undefined) work.fixes = most;
  if (timeoutMs !== undefined) work.taskTimeoutMs = timeoutMs;
  const command = final && textOf(final, report) && templateAt(final, report);
  if (command) work.final = command;
  const allowed = share && quorumSetting(share, report);
  if (allowed) work.blockedShare = allowed;
  const actions = blocked && readActions(blocked, 'on_blocked', report);
  if (actions) work.onBlocked = actions;
  return work;
}

function readGates(work: IncrementsSource, entry: Entry | undefined, { report }: Pick<ReadContext, 'report'>): void {
  const node = entry && mappingOf(entry, report, 'a mapping such as {no_regression: npm test}');
  if (!node) return;
  checkKeys(node, { what: '"gates"', known: keysOf('increment-gates') }, report);
  if (node.entries.length > 0) work.gates = {};
  for (const gate of INCREMENT_GATES) {
    const written = entryOf(node, gate);
    const command = written && textOf(written, report) && templateAt(written, report);
    if (command) work.gates = { ...work.gates, [gate]: command };
  }
}
