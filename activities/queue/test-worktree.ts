import type { QueueTarget } from '../../plan/queue/ticket';
import type { RunKey } from '../../records/ledger';
import type { ActivityCall } from '../activity-call';
import type { Toolbox } from '../toolbox';
import type { OpenWorktree, WorktreePlace, WorktreePlan } from '../worktree-port';
import { requireWorktrees } from '../worktrees/claim-worktree';
import { takeEpoch } from '../worktrees/epochs';

/** What is tested where: each attempt of a queue has a worktree for the merged tree, and one for the target as it is without. */
export interface TestPlace {
  attempt: number;
  tree: 'merged' | 'target';
  commit: string;
  /** Files outside git that it gets from the checkout. */
  copy: readonly string[];
}

const CLOSE_MS = 30_000;

/** In a clean worktree, which is gone afterwards. */
export async function inTestWorktree<T>(
  toolbox: Toolbox,
  { key, signal }: ActivityCall,
  target: QueueTarget,
  { attempt, tree, commit, copy }: TestPlace,
  work: (open: OpenWorktree) => Promise<T>,
): Promise<T> {
  const place = await ownPlace(toolbox, key, slotOf(attempt, tree));
  const plan = planOf(target, commit, copy);
  const worktrees = requireWorktrees(toolbox);
  const close = (until: AbortSignal) => worktrees.close(place, plan, undefined, until);
  // Of a try that was killed: what it has left is no clean tree.
  await close(signal);
  try {
    return await work(await worktrees.open(place, plan, commit, async () => undefined, signal));
  } finally {
    await close(AbortSignal.timeout(CLOSE_MS)).catch((error: unknown) => notRemoved(toolbox, key, error));
  }
}

/** Removes what tests that are over have left on this host. What another host has of them is its janitor's, once this one has taken them over. */
export async function closeLeftTests(
  toolbox: Toolbox,
  { key, signal }: ActivityCall,
  target: QueueTarget,
  attempts: readonly number[],
): Promise<void> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(CLOSE_MS)]);
  for (const attempt of attempts) {
    for (const tree of ['merged', 'target'] as const) {
      try {
        await requireWorktrees(toolbox).close(
          await ownPlace(toolbox, key, slotOf(attempt, tree)),
          planOf(target, '', []),
          undefined,
          until,
        );
      } catch (error) {
        signal.throwIfAborted();
        notRemoved(toolbox, key, error);
      }
    }
  }
}

function slotOf(attempt: number, tree: TestPlace['tree']): string {
  return tree === 'merged' ? `test/${attempt}` : `test/${attempt}/target`;
}

/** However many hosts have had it: what each has begun is made anew by the next, and no work is lost. */
async function ownPlace(toolbox: Toolbox, key: RunKey, slot: string): Promise<WorktreePlace> {
  const host = await requireWorktrees(toolbox).host();
  return { key, slot, epoch: await takeEpoch(toolbox.ledger, key, slot, 1, host, Number.POSITIVE_INFINITY) };
}

function planOf({ branch: _branch, ...origin }: QueueTarget, base: string, copy: readonly string[]): WorktreePlan {
  return { ...origin, base, copy, keep: false };
}

function notRemoved({ log }: Toolbox, { workflowId }: RunKey, error: unknown): void {
  log('warn', 'the worktree of a test is not removed yet', { queue: workflowId, problem: String(error) });
}
