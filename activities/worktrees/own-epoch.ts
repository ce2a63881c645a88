import { ThermidorFailure } from '../../plan/run/failure';
import type { Toolbox } from '../toolbox';
import type { WorktreePlace } from '../worktree-port';
import { isNewestEpoch } from './epochs';

/** Checked before it is pushed, and again before anything is recorded (`epochs.ts`, invariant 2). */
export async function requireOwn({ ledger }: Toolbox, { key, slot, epoch }: WorktreePlace): Promise<void> {
  if (await isNewestEpoch(ledger, key, slot, epoch)) return;
  throw lost({ slot, epoch });
}

/** The host's problems with a worktree of a later epoch do not concern this worker. */
export function notOurs(place: WorktreePlace): (error: unknown) => never {
  return (error) => {
    throw error instanceof ThermidorFailure && error.code === 'worker.lost' ? lost(place) : error;
  };
}

function lost({ slot, epoch }: Pick<WorktreePlace, 'slot' | 'epoch'>): ThermidorFailure {
  return new ThermidorFailure('worktree.lost', `another host has taken over the worktree of "${slot}" meanwhile`, { slot, epoch });
}
