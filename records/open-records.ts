import type { ArtifactStore } from './artifact-store';
import type { EnvironmentStore } from './caller-environments';
import type { ControlStore } from './control-store';
import { ArtifactFiles } from './directory/artifact-files';
import { ControlFiles } from './directory/control-files';
import { EnvironmentFiles } from './directory/environment-files';
import { LedgerFiles } from './directory/ledger-files';
import { NamedFiles } from './directory/named-files';
import { RunFolders } from './directory/run-folders';
import { LogFiles } from './directory/step-logs/log-files';
import type { Ledger } from './ledger';
import type { NamedOutputs } from './named-outputs';
import type { RunIndex } from './run-index';
import type { StepLogs } from './step-logs';

/** All that runs leave behind, in one store. */
export interface Records {
  readonly artifacts: ArtifactStore;
  readonly control: ControlStore;
  readonly ledger: Ledger;
  readonly runs: RunIndex;
  readonly logs: StepLogs;
  readonly outputs: NamedOutputs;
  readonly environments: EnvironmentStore;
}

/** The records of a state folder. Code of a port is loaded when that port is first used: most commands need one. */
export function openRecords(stateDir: string): Records {
  const artifactFiles = once(() => {
    return new ArtifactFiles(stateDir);
  });
  const control = once(() => {
    return new ControlFiles(stateDir);
  });
  const ledger = once(() => {
    return new LedgerFiles(stateDir);
  });
  const runs = once(() => {
    return new RunFolders(stateDir);
  });
  const logs = once(() => {
    return new LogFiles(stateDir);
  });
  const outputs = once(() => {
    return new NamedFiles(stateDir, artifactFiles());
  });
  const environments = once(() => {
    return new EnvironmentFiles(stateDir);
  });
  return {
    get artifacts() {
      return artifactFiles();
    },
    get control() {
      return control();
    },
    get ledger() {
      return ledger();
    },
    get runs() {
      return runs();
    },
    get logs() {
      return logs();
    },
    get outputs() {
      return outputs();
    },
    get environments() {
      return environments();
    },
  };
}

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
