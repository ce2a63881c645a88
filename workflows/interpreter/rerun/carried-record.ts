import { defined } from '../../../plan/defined';
import { kindStateAfter } from '../state/kind-state';
import type { StepRecord } from '../state/step-record';

/** The fields of an earlier run's record that the new run keeps. */

const KEPT = ['times', 'output', 'error'] as const satisfies readonly (keyof StepRecord)[];

/** Results without their cost: nothing was paid for them in the new run. */
export function carriedRecord(record: StepRecord, from: string): StepRecord {
  const { state, round, try: again } = record;
  const kept = kindStateAfter('run', record);
  const { base, eyes } = record.within ?? {};
  const within = defined({ base, eyes });
  const { gate: _open, ...asked } = record.asked ?? {};
  const results = Object.fromEntries(KEPT.flatMap((key) => (record[key] === undefined ? [] : [[key, record[key]]])));
  return {
    ...results,
    ...defined({ kept, asked: record.asked && asked }),
    ...{ state, round, try: again },
    ...(Object.keys(within).length > 0 ? { within } : {}),
    carried: { run: record.carried?.run ?? from },
  };
}
