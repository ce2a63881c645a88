import { ControlContent } from '../control-content';
import { lazily } from '../lazily';
import type { Records } from '../records';
import { KeyRing } from '../sealing/key-ring';
import { noKey, type StoreKey } from '../service-key';
import { unnamedOutputs } from '../unnamed-outputs';
import { ArtifactRows } from './artifact-rows';
import { Database } from './database';
import { DrainedHostRows } from './drained-host-rows';
import { EndedRows } from './ended-rows';
import { EnvironmentRows } from './environment-rows';
import { GateLinkRows } from './gate-link-rows';
import { GrantRows } from './grant-rows';
import { openHandoverRows } from './handover-rows';
import { IdentityRows } from './identity-rows';
import { LedgerRows } from './ledger-rows';
import { LogPieces } from './log-pieces';
import { OldContentRows } from './old-content-rows';
import type { PostgresPlace } from './postgres-place';
import { presenceRows } from './presence-rows';
import { refusedAnswerRows } from './refused-answer-rows';
import { RunRetentionRows } from './run-retention-rows';
import { RunRows } from './run-rows';
import { SlotRows } from './slot-rows';
import { storeState } from './store-state';

/** The records of a database. @param key what decisions are sealed with */
export function postgresRecords(place: PostgresPlace, key: StoreKey = noKey, keys = new KeyRing()): Records {
  const database = new Database(place);
  return lazily<Records>({
    artifacts: () => new ArtifactRows(database, 'output', keys),
    control: () => new ControlContent((kind) => new ArtifactRows(database, kind, keys)),
    ledger: () => new LedgerRows(database),
    runs: () => new RunRows(database),
    ended: () => new EndedRows(database),
    logs: () => new LogPieces(database),
    outputs: () => unnamedOutputs,
    environments: () => new EnvironmentRows(database),
    links: () => new GateLinkRows(database),
    slots: () => new SlotRows(database),
    grants: () => new GrantRows(database),
    drained: () => new DrainedHostRows(database),
    retention: () => new RunRetentionRows(database),
    oldContent: () => new OldContentRows(database),
    identity: () => new IdentityRows(database),
    key: () => key,
    ready: () => async (places) => {
      await key();
      await storeState(place);
      if (places !== undefined) await database.serve(places);
    },
    presence: () => (unheard, times) => presenceRows(database, unheard, times),
    handovers: () => () => openHandoverRows(database),
    refusedAnswers: () => (warn) => refusedAnswerRows(database, warn),
  });
}
