import type { ArtifactStore } from './artifact-store';
import type { EnvironmentStore } from './caller-environments';
import type { ControlStore } from './control-store';
import { ArtifactFiles } from './directory/artifact-files';
import { ControlFiles } from './directory/control-files';
import { EnvironmentFiles } from './directory/environment-files';
import { FleetSlotFiles } from './directory/fleet-slot-files';
import { GateLinkFiles } from './directory/gate-link-files';
import { openHandovers } from './directory/handover-files';
import { hostPresenceFiles } from './directory/host-presence-files';
import { LastingGrantFiles } from './directory/lasting-grant-files';
import { LedgerFiles } from './directory/ledger-files';
import { NamedFiles } from './directory/named-files';
import { RefusedAnswerFiles } from './directory/refused-answer-files';
import { RunFolders } from './directory/run-folders';
import { LogFiles } from './directory/step-logs/log-files';
import { StoreIdentityFiles } from './directory/store-identity-files';
import { storeKeyFile } from './directory/store-key-file';
import type { FleetSlots } from './fleet-slots';
import type { GateLinks } from './gate-links';
import type { Handovers } from './handovers';
import type { HostPresence, PresenceTimes, Unheard } from './host-presence';
import type { LastingGrants } from './lasting-grants';
import type { Ledger } from './ledger';
import type { NamedOutputs } from './named-outputs';
import type { RefusedAnswers } from './refused-answers';
import type { RunIndex } from './run-index';
import type { StoreKey } from './service-key';
import type { StepLogs } from './step-logs';
import type { StoreIdentity } from './store-identity';

/** A store: all that runs leave behind, and what the processes that work on them share. Each port says what it asks of a store. */
export interface Records {
  readonly artifacts: ArtifactStore;
  readonly control: ControlStore;
  readonly ledger: Ledger;
  readonly runs: RunIndex;
  readonly logs: StepLogs;
  readonly outputs: NamedOutputs;
  readonly environments: EnvironmentStore;
  readonly links: GateLinks;
  readonly slots: FleetSlots;
  readonly grants: LastingGrants;
  readonly identity: StoreIdentity;
  readonly key: StoreKey;
  presence(unheard: Unheard, times?: PresenceTimes): HostPresence;
  /** What this process hands over as it stops; it begins with this call. */
  handovers(): Promise<Handovers>;
  refusedAnswers(warn: (message: string) => void): RefusedAnswers;
}

/** Where records are. The settings of another kind of store go here. */
export interface StoreSettings {
  stateDir: string;
}

/** The records of a state folder. Code of a port is loaded when that port is first used: most commands need one. */
export function openRecords({ stateDir }: StoreSettings): Records {
  return lazily<Records>({
    artifacts: () => new ArtifactFiles(stateDir),
    control: () => new ControlFiles(stateDir),
    ledger: () => new LedgerFiles(stateDir),
    runs: () => new RunFolders(stateDir),
    logs: () => new LogFiles(stateDir),
    outputs: () => new NamedFiles(stateDir, new ArtifactFiles(stateDir)),
    environments: () => new EnvironmentFiles(stateDir),
    links: () => new GateLinkFiles(stateDir),
    slots: () => new FleetSlotFiles(stateDir),
    grants: () => new LastingGrantFiles(stateDir),
    identity: () => new StoreIdentityFiles(stateDir),
    key: () => storeKeyFile(stateDir),
    presence: () => (unheard, times) => hostPresenceFiles(stateDir, unheard, times),
    handovers: () => () => openHandovers(stateDir),
    refusedAnswers: () => (warn) => new RefusedAnswerFiles(stateDir, warn),
  });
}

/** An object of which each property is made once, when it is first asked for. */
function lazily<T extends object>(makers: { readonly [K in keyof T]: () => T[K] }): T {
  const made = {} as T;
  for (const key of Object.keys(makers) as (keyof T)[]) {
    let value: T[keyof T] | undefined;
    Object.defineProperty(made, key, { get: () => (value ??= makers[key]()), enumerable: true });
  }
  return made;
}
