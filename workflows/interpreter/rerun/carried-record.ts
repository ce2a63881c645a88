import { defined } from '../../../plan/defined';
import { kindStateAfter } from '../state/kind-state';
import type { StepRecord } from '../state/step-record';

/** The fields of an earlier run's record that the new run keeps. */

const KEPT = ['times', 'output', 'decision', 'error', 'asked'] as const satisfies readonly (keyof StepRecord)[];

/** Results without their cost: nothing was paid for them in the new run. */
export function carriedRecord(record: StepRecord, from: string): StepRecord {
  const { state, round, try: again } = record;
  const kept = kindStateAfter('run', record);
  const { base, eyes } = record.within ?? {};
  const within = defined({ base, eyes });
  const results = Object.fromEntries(KEPT.flatMap((key) => (record[key] === undefined ? [] : [[key, record[key]]])));
  return {
    ...results,
    ...defined({ kept }),
    ...{ state, round, try: again },
    ...(Object.keys(within).length > 0 ? { within } : {}),
    carried: { run: record.carried?.run ?? from },
  };
}
