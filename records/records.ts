import type { ArtifactStore } from './artifact-store';
import type { EnvironmentStore } from './caller-environments';
import type { ControlStore } from './control-store';
import type { DrainedHosts } from './drained-hosts';
import type { EndedIndex } from './ended-index';
import type { FleetSlots } from './fleet-slots';
import type { GateLinks } from './gate-links';
import type { Handovers } from './handovers';
import type { HostPresence, PresenceTimes, Unheard } from './host-presence';
import type { LastingGrants } from './lasting-grants';
import type { Ledger } from './ledger';
import type { NamedOutputs } from './named-outputs';
import type { OldContent } from './old-content';
import type { RefusedAnswers } from './refused-answers';
import type { RunIndex } from './run-index';
import type { RunRetention } from './run-retention';
import type { StoreKey } from './service-key';
import type { StepLogs } from './step-logs';
import type { StoreIdentity } from './store-identity';

/** A store: all that runs leave behind, and what the processes that work on them share. Each port says what it asks of a store. */
export interface Records {
  readonly artifacts: ArtifactStore;
  readonly control: ControlStore;
  readonly ledger: Ledger;
  readonly runs: RunIndex;
  readonly ended: EndedIndex;
  readonly logs: StepLogs;
  readonly outputs: NamedOutputs;
  readonly environments: EnvironmentStore;
  readonly links: GateLinks;
  readonly slots: FleetSlots;
  readonly grants: LastingGrants;
  readonly drained: DrainedHosts;
  readonly retention: RunRetention;
  readonly oldContent: OldContent;
  readonly identity: StoreIdentity;
  readonly key: StoreKey;
  /**
   * Whether a worker can work with it. Fails with `store.unavailable`, `secret.missing`. @param places steps at once of the worker that
   * begins
   */
  ready(places?: number): Promise<void>;
  presence(unheard: Unheard, times?: PresenceTimes): HostPresence;
  /** What this process hands over as it stops; it begins with this call. */
  handovers(): Promise<Handovers>;
  refusedAnswers(warn: (message: string) => void): RefusedAnswers;
}
