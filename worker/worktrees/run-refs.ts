import type { Ref, Swap, Swapped } from '../../activities/git-model';
import type { WorktreePlace } from '../../activities/worktree-port';
import { ThermidorFailure } from '../../plan/run/failure';
import { runRef, taskRefs } from '../../plan/run/run-ref';

/** Where the refs of runs are: a repository on this host, or a remote. */
export interface RunRefs {
  /** All below a prefix. */
  list(prefix: string): Promise<Ref[]>;
  swap(swap: Swap): Promise<Swapped>;
}

/** The run refs among listed ones. */
export function refsOf(listed: readonly Ref[]): Pick<RunRefs, 'list'> {
  return { list: async (prefix) => listed.filter(({ name }) => name.startsWith(prefix)) };
}

/** The last pushed commit of the slot; undefined if there is none. */
export async function lastPushed(refs: Pick<RunRefs, 'list'>, at: WorktreePlace): Promise<string | undefined> {
  return (await pushes(refs, at)).sort((a, b) => b.epoch - a.epoch)[0]?.id;
}

/**
 * Pushes to the ref of the epoch, and to no other. Fails with `worker.lost` if a later one has pushed: the ledger says whose turn it is
 * before and afterwards.
 */
export async function push(refs: RunRefs, at: WorktreePlace, commit: string): Promise<void> {
  const ref = runRef(at.key.run, at.slot, at.epoch);
  for (let n = 0; n < TRIES; n++) {
    const before = (await pushes(refs, at)).find(({ epoch }) => epoch === at.epoch)?.id;
    if (before === commit) return;
    // An engineer may rewrite history: the old value is the current one, and need not be an ancestor.
    if ((await refs.swap({ ref, from: before, to: commit })).kind !== 'stale') return;
  }
  throw new ThermidorFailure('repository.locked', `another process keeps moving ${ref}`, { ref });
}

/** Nobody else pushes there except an agent that knows the name. */
const TRIES = 5;

async function pushes(refs: Pick<RunRefs, 'list'>, { key, slot, epoch }: WorktreePlace): Promise<{ epoch: number; id: string }[]> {
  const prefix = taskRefs(key.run, slot);
  const found = (await refs.list(prefix)).map(({ name, id }) => ({ epoch: Number(name.slice(prefix.length)), id }));
  if (found.some((other) => other.epoch > epoch)) {
    throw new ThermidorFailure('worker.lost', `another host has taken over the worktree of ${slot}`, { slot, epoch });
  }
  return found.filter((one) => Number.isSafeInteger(one.epoch));
}
