import { ThermidorFailure } from '../../plan/run/failure';
import { MOST_EPOCHS } from '../../plan/run/worktree';
import { field } from '../../plan/text/json';
import type { Ledger, RunKey } from '../../records/ledger';

/**
 * Which host has which epoch of a worktree, by the run's ledger.
 *
 * Invariants: 1. the epochs of a slot have no gaps, and each belongs to the host that came first; 2. a host takes an epoch before it reads
 * what earlier epochs have pushed, and a host that has pushed looks for a newer epoch before it records a result: so a recorded result is
 * in what the next host begins with.
 */
export type Epochs = Pick<Ledger, 'get' | 'putIfAbsent'>;

function epochName(slot: string, epoch: number): string {
  return `worktree/${slot}/${epoch}`;
}

/** The first epoch from a number on that is the host's, or becomes the host's. Fails with `worktree.unavailable` after `most`. */
export async function takeEpoch(
  ledger: Epochs,
  key: RunKey,
  slot: string,
  from: number,
  host: string,
  most: number = MOST_EPOCHS,
): Promise<number> {
  for (let epoch = from; epoch <= most; epoch++) {
    const taken = await ledger.putIfAbsent(key, epochName(slot, epoch), { host });
    if (field(taken, 'host') === host) return epoch;
  }
  const message = `the worktree of "${slot}" was made ${most} times, and each host was lost; look at what ends its workers`;
  throw new ThermidorFailure('worktree.unavailable', message, { slot, epochs: most });
}

/** Whether no other host has taken the worktree over since. */
export async function isNewestEpoch(ledger: Pick<Ledger, 'get'>, key: RunKey, slot: string, epoch: number): Promise<boolean> {
  return (await ledger.get(key, epochName(slot, epoch + 1))) === undefined;
}
