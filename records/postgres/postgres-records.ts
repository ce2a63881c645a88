import { lazily } from '../lazily';
import { memoryRecords } from '../memory/memory-records';
import type { Records } from '../records';
import { Database } from './database';
import { EnvironmentRows } from './environment-rows';
import { LedgerRows } from './ledger-rows';
import type { PostgresPlace } from './postgres-place';
import { RunRows } from './run-rows';

/** The records of a database. */
export function postgresRecords(place: PostgresPlace): Records {
  const database = new Database(place);
  const rest = memoryRecords();
  return lazily<Records>({
    artifacts: () => rest.artifacts,
    control: () => rest.control,
    ledger: () => new LedgerRows(database),
    runs: () => new RunRows(database),
    logs: () => rest.logs,
    outputs: () => rest.outputs,
    environments: () => new EnvironmentRows(database),
    links: () => rest.links,
    slots: () => rest.slots,
    grants: () => rest.grants,
    identity: () => rest.identity,
    key: () => rest.key,
    presence: () => (unheard, times) => rest.presence(unheard, times),
    handovers: () => () => rest.handovers(),
    refusedAnswers: () => (warn) => rest.refusedAnswers(warn),
  });
}
