import { containerPath } from '../scheduling/place';
import { indexRecords, type RecordIndex } from './record-index';
import type { InterpreterState } from './state';
import { freshRecord, type StepRecord } from './step-record';

/** The records of a run. All writes go through here, so that the index has them. */
export interface RunRecords {
  /** The record at a path, made if there is none. */
  record(path: string): StepRecord;
  /** Another record in its place; or the same, if a settled one continues. */
  putRecord(path: string, record: StepRecord): void;
  dropRecord(path: string): void;
  /** Finds records by their state, and by their container. */
  readonly index: RecordIndex;
}

export function recordsOf({ records }: InterpreterState): RunRecords {
  const index = indexRecords(records);

  function putRecord(path: string, record: StepRecord): void {
    records[path] = record;
    index.add(path);
  }

  return {
    index,
    putRecord,
    record(path) {
      const known = Object.hasOwn(records, path) ? records[path] : undefined;
      if (known) return known;
      const container = containerPath(path);
      const base = container === undefined ? undefined : records[container]?.within?.base;
      const record: StepRecord = base === undefined ? freshRecord(1) : { ...freshRecord(base), within: { base } };
      putRecord(path, record);
      return record;
    },
    dropRecord(path) {
      delete records[path];
      index.drop(path);
    },
  };
}
