import { openRecords } from '../../records/open-records';
import type { Records } from '../../records/records';
import type { Configuration } from './configuration';

const opened = new Map<string, Records>();

/** The store of the runs. A process opens it once. */
export function recordsOf({ stateDir }: Pick<Configuration, 'stateDir'>): Records {
  return recordsIn(stateDir.value);
}

/** The store of a state folder that another configuration names, such as that of a run that waits. */
export function recordsIn(stateDir: string): Records {
  const records = opened.get(stateDir) ?? openRecords({ stateDir });
  opened.set(stateDir, records);
  return records;
}
