import type { ArtifactStore } from './artifact-store';
import type { EnvironmentStore } from './caller-environments';
import type { ControlStore } from './control-store';
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
    const { ArtifactFiles } = require('./directory/artifact-files') as typeof import('./directory/artifact-files');
    return new ArtifactFiles(stateDir);
  });
  const control = once(() => {
    const { ControlFiles } = require('./directory/control-files') as typeof import('./directory/control-files');
    return new ControlFiles(stateDir);
  });
  const ledger = once(() => {
    const { LedgerFiles } = require('./directory/ledger-files') as typeof import('./directory/ledger-files');
    return new LedgerFiles(stateDir);
  });
  const runs = once(() => {
    const { RunFolders } = require('./directory/run-folders') as typeof import('./directory/run-folders');
    return new RunFolders(stateDir);
  });
  const logs = once(() => {
    const { LogFiles } = require('./directory/step-logs/log-files') as typeof import('./directory/step-logs/log-files');
    return new LogFiles(stateDir);
  });
  const outputs = once(() => {
    const { NamedFiles } = require('./directory/named-files') as typeof import('./directory/named-files');
    return new NamedFiles(stateDir, artifactFiles());
  });
  const environments = once(() => {
    const { EnvironmentFiles } = require('./directory/environment-files') as typeof import('./directory/environment-files');
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
