import { ARTIFACT_LIMIT_BYTES } from '../../plan/run/artifact';
import { lazily } from '../lazily';
import type { Records } from '../records';
import { ContentSeal } from '../sealing/content-seal';
import { KeyRing } from '../sealing/key-ring';
import { ArtifactFiles } from './artifact-files';
import { ControlFiles } from './control-files';
import { DrainedHostFiles } from './drained-host-files';
import { EndedFiles } from './ended-files';
import { EnvironmentFiles } from './environment-files';
import { FleetSlotFiles } from './fleet-slot-files';
import { GateLinkFiles } from './gate-link-files';
import { openHandovers } from './handover-files';
import { hostPresenceFiles } from './host-presence-files';
import { LastingGrantFiles } from './lasting-grant-files';
import { LedgerFiles } from './ledger-files';
import { NamedFiles } from './named-files';
import { OldContentFiles } from './old-content-files';
import { RefusedAnswerFiles } from './refused-answer-files';
import { RunFolders } from './run-folders';
import { RunRetentionFiles } from './run-retention-files';
import { stateLayout } from './state-layout';
import { LogFiles } from './step-logs/log-files';
import { StoreIdentityFiles } from './store-identity-files';
import { storeKeyFile } from './store-key-file';

/** The records of a state folder. Code of a port is loaded when that port is first used: most commands need one. */
export function directoryRecords(stateDir: string, keys = new KeyRing()): Records {
  return lazily<Records>({
    artifacts: () => new ArtifactFiles(stateDir, ARTIFACT_LIMIT_BYTES, stateLayout(stateDir).artifacts, new ContentSeal(keys)),
    control: () => new ControlFiles(stateDir, keys),
    ledger: () => new LedgerFiles(stateDir),
    runs: () => new RunFolders(stateDir),
    ended: () => new EndedFiles(stateDir),
    logs: () => new LogFiles(stateDir),
    outputs: () => new NamedFiles(stateDir, new ArtifactFiles(stateDir)),
    environments: () => new EnvironmentFiles(stateDir),
    links: () => new GateLinkFiles(stateDir),
    slots: () => new FleetSlotFiles(stateDir),
    grants: () => new LastingGrantFiles(stateDir),
    drained: () => new DrainedHostFiles(stateDir),
    retention: () => new RunRetentionFiles(stateDir),
    oldContent: () => new OldContentFiles(stateDir),
    identity: () => new StoreIdentityFiles(stateDir),
    key: () => storeKeyFile(stateDir),
    // It is made by the first who stores something.
    ready: () => async () => undefined,
    presence: () => (unheard, times) => hostPresenceFiles(stateDir, unheard, times),
    handovers: () => () => openHandovers(stateDir),
    refusedAnswers: () => (warn) => new RefusedAnswerFiles(stateDir, warn),
  });
}
