import { RUN_END_STATES } from '../../plan/run/run-end';
import { field, isJsonObject, type Json } from '../../plan/text/json';
import { type PaidSum, readPaidSum } from '../accounts/sum';
import type { RunKey } from '../ledger';
import { type EndedRun, isMoment } from './ended-run';

/** What the index of ended runs (`ended-index.ts`) has of each, as it is stored. */

/** What lists show of a run that has ended, as its record says it. */
export interface ListedEnd
  extends Pick<EndedRun, 'run' | 'execution' | 'pipeline' | 'state' | 'startedAt' | 'endedAt' | 'owner' | 'parent'> {
  /** The id of the run's first execution. */
  firstRun: string;
}

/** What the accounts of a run came to when they had this extent (`RunIndex.extent`). */
export interface EndedCost {
  extent: number;
  /** When the first and the last reply were paid for. Absent: none was. */
  first?: string;
  last?: string;
  paid: PaidSum[];
}

/** Undefined if it is invalid, for example one of a later version. */
export function readListedEnd(stored: Json | undefined): ListedEnd | undefined {
  if (!isJsonObject(stored)) return undefined;
  const { run, firstRun, execution, pipeline, state, startedAt, endedAt, owner, parent } = stored;
  const known = RUN_END_STATES.find((one) => one === state);
  if (typeof run !== 'string' || typeof firstRun !== 'string' || typeof execution !== 'string' || typeof pipeline !== 'string')
    return undefined;
  if (!known || !isMoment(startedAt) || !isMoment(endedAt)) return undefined;
  return {
    ...{ run, firstRun, execution, pipeline, state: known, startedAt, endedAt },
    ...(typeof owner === 'string' ? { owner } : {}),
    ...(typeof parent === 'string' ? { parent } : {}),
  };
}

/** Undefined if it is invalid: costs are then read from the accounts. */
export function readEndedCost(stored: Json | undefined, key: RunKey): EndedCost | undefined {
  const [extent, first, last, paid] = ['extent', 'first', 'last', 'paid'].map((name) => field(stored, name));
  if (typeof extent !== 'number' || !Array.isArray(paid)) return undefined;
  const sums = paid.flatMap((sum) => readPaidSum(sum) ?? []);
  if (sums.length !== paid.length || !sums.every(({ run }) => run === key.workflowId)) return undefined;
  return { extent, paid: sums, ...(typeof first === 'string' ? { first } : {}), ...(typeof last === 'string' ? { last } : {}) };
}

/** The last to end first. */
export function compareEnds(a: EndMoment, b: EndMoment): number {
  if (a.endedAt !== b.endedAt) return a.endedAt < b.endedAt ? 1 : -1;
  return a.run === b.run ? 0 : a.run < b.run ? -1 : 1;
}
export type EndMoment = Pick<ListedEnd, 'run' | 'endedAt'>;
