import { parseAddress } from '../plan/address';
import type { ArtifactRef } from '../plan/artifact';
import type { Json } from '../plan/json';
import type { ArtifactStore } from './artifact-store';
import type { ControlStore } from './control-store';
import type { Ledger } from './ledger';
import type { StepLogs } from './step-logs';

/** The stores and the ledger of a state directory, as the command line reads and fills them. */
export function openStore(stateDir: string): ArtifactStore {
  const { ArtifactFiles } = require('./directory/artifact-files') as typeof import('./directory/artifact-files');
  return new ArtifactFiles(stateDir);
}

/** All of them, for what a run's record names. */
export interface Stores {
  artifacts: ArtifactStore;
  control: ControlStore;
  ledger: Ledger;
}

export function openStores(stateDir: string): Stores {
  return { artifacts: openStore(stateDir), control: openControl(stateDir), ledger: openLedger(stateDir) };
}

export function openControl(stateDir: string): ControlStore {
  const { ControlFiles } = require('./directory/control-files') as typeof import('./directory/control-files');
  return new ControlFiles(stateDir);
}

export function openLedger(stateDir: string): Ledger {
  const { LedgerFiles } = require('./directory/ledger-files') as typeof import('./directory/ledger-files');
  return new LedgerFiles(stateDir);
}

export function openLogs(stateDir: string): StepLogs {
  const { LogFiles } = require('./directory/step-logs/log-files') as typeof import('./directory/step-logs/log-files');
  return new LogFiles(stateDir);
}

/** Reads an artifact as JSON; as text where it is none. */
export async function readContent(store: ArtifactStore, ref: ArtifactRef): Promise<Json> {
  const text = (await store.get(ref)).toString('utf8');
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** Where a person finds a step's output: under its name where a worker laid it out, else in the store. */
export function pathOf(store: ArtifactStore, stateDir: string, run: string, address: string, ref: ArtifactRef): string | undefined {
  const parsed = parseAddress(address);
  if (parsed !== undefined && ref.name !== undefined) {
    const { existsSync } = require('node:fs') as typeof import('node:fs');
    const { namedFile } = require('./directory/named-files') as typeof import('./directory/named-files');
    const named = namedFile(stateDir, run, parsed, ref.name);
    if (existsSync(named)) return named;
  }
  return store.locate(ref);
}
