import type { QueueTarget } from '../../plan/queue/ticket';
import type { RunKey } from '../../records/ledger';
import type { ActivityCall } from '../activity-call';
import type { Toolbox } from '../toolbox';
import type { OpenWorktree, WorktreePlace, WorktreePlan } from '../worktree-port';
import { requireWorktrees } from '../worktrees/claim-worktree';
import { takeEpoch } from '../worktrees/epochs';

/** The place of a test: each attempt of a queue has a worktree for the merged tree, and one for the target without it. */
export interface TestPlace {
  attempt: number;
  tree: 'merged' | 'target';
  commit: string;
  /** Files outside git that it gets from the checkout. */
  copy: readonly string[];
}

const CLOSE_MS = 30_000;

/** Runs work in a clean worktree, which is removed afterwards. */
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
  // The remains of a killed try are no clean tree.
  await close(signal);
  try {
    return await work(await worktrees.open(place, plan, commit, async () => undefined, signal));
  } finally {
    await close(AbortSignal.timeout(CLOSE_MS)).catch((error: unknown) => notRemoved(toolbox, key, error));
  }
}

/** Removes the remains of finished tests on this host. Another host's remains are its janitor's, once this one has taken them over. */
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

/** The place of any host that had it: each makes its worktree anew, and no work is lost. */
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
