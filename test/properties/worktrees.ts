import type { WorktreeLease, WorktreeSaved, WorktreeUse } from '../../plan/run/worktree';
import { field, isJsonObject, type Json } from '../../plan/text/json';
import type { ActivityCommand, Work } from '../support/simulation/ports';
import { digestOf } from './agents';

/** Worktrees on one host that never dies. Work in one leaves a commit whether or not it succeeds. */

export function leaseOf(slot: string): WorktreeLease {
  const base = digestOf(`base of ${slot}`).slice(0, 40);
  return {
    ...{ slot, epoch: 1, host: 'host-1', repository: '/repository', refsIn: 'repository', base, commit: base },
    ...{ branch: `thermidor/${slot}`, silentMs: 60_000 },
  };
}

export function inWorktree(work: Work, key: string, { name, input }: ActivityCommand): Work {
  const use = field(JSON.parse(input) as Json, 'worktree');
  if ((name !== 'command' && name !== 'agent') || !isJsonObject(use) || 'goOn' in work) return work;
  const { slot, epoch } = use as unknown as WorktreeUse;
  const worktree: WorktreeSaved = { slot, epoch, commit: digestOf(`commit of ${key}`).slice(0, 40) };
  const { outcome } = work;
  if (outcome.kind === 'failure') return { ...work, outcome: { ...outcome, work: { ...outcome.work, worktree } } };
  if (outcome.kind === 'value')
    return { ...work, outcome: { kind: 'value', json: JSON.stringify({ ...JSON.parse(outcome.json), worktree }) } };
  return work;
}
