import { lazilyOver } from '../lazily';
import type { Records } from '../records';
import { unnamedOutputs } from '../unnamed-outputs';
import type { KeyRing } from './key-ring';
import { openedRetention, openedRuns, sealedLedger } from './sealed-ledger';
import { sealedEnvironments, sealedLinks } from './sealed-people';
import { sealedStepLogs } from './sealed-step-logs';

/**
 * A store whose content is sealed, whatever keeps it; outputs and control content are sealed by the store itself (`content-seal.ts`), which
 * names them by what they are. Without a key that seals nothing is written differently, and what was sealed before is opened, or refused by
 * the name of its key. Ids, names, times, costs, grants and refused answers stay readable.
 */
export function withSealing(records: Records, ring: KeyRing): Records {
  return lazilyOver(records, {
    ledger: () => sealedLedger(records.ledger, ring),
    runs: () => openedRuns(records.runs, ring),
    retention: () => openedRetention(records.retention, ring),
    logs: () => sealedStepLogs(records.logs, ring),
    environments: () => sealedEnvironments(records.environments, ring),
    links: () => sealedLinks(records.links, ring),
    // Names for people would be names of files that nobody can read.
    ...(ring.use === undefined ? {} : { outputs: () => unnamedOutputs }),
  });
}
