import { ThermidorFailure } from '../../plan/run/failure';
import type { StopAnnouncing } from '../../records/host-presence';
import type { ClaimedLog } from '../../records/ledger';
import type { Records } from '../../records/records';

/** One of several processes that share a store speaks for all. */
export interface SoleReporter {
  /** Whether that is this process, as of now: asked at intervals. Fails with `store.unavailable`. */
  isThis(): Promise<boolean>;
  /** Another process may speak at once. */
  leave(): Promise<void>;
}

/** `run` of the ledger that says who speaks: as for merge queues, no run has it. */
const RUN = 'reporter';

/**
 * A process takes the office by a claim in the ledger if nobody in office gives signs of life.
 *
 * Invariants: 1. the last claim counts, so a process that was stopped and continues later finds that it is out of office; 2. a process
 * speaks from the second question on: by then one that claimed at the same moment has claimed, too; 3. no clock of a host counts.
 *
 * @param office what they speak about
 */
export function soleReporter({ ledger, presence }: Pick<Records, 'ledger' | 'presence'>, office: string): SoleReporter {
  const signs = presence(() => undefined);
  const name = `${RUN} of ${office}`;
  let claim: ClaimedLog | undefined;
  let stop: StopAnnouncing | undefined;

  async function leave(): Promise<void> {
    claim = undefined;
    const stopping = stop;
    stop = undefined;
    await stopping?.();
  }

  return {
    async isThis() {
      if (claim !== undefined) {
        try {
          await claim.requireOwn();
          return true;
        } catch (error) {
          if (!(error instanceof ThermidorFailure && error.code === 'worker.lost')) throw error;
          await leave();
          return false;
        }
      }
      if (await signs.isAlive(name)) return false;
      const claimed = await ledger.claim({ workflowId: name, run: RUN }, RUN);
      stop = await signs.announce(name);
      claim = claimed;
      return false;
    },
    leave,
  };
}
