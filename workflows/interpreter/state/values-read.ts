import type { Json } from '../../../plan/text/json';
import { spelledFields, spelledObject } from '../../../plan/text/spelled-json';
import { verdictInState } from './kind-state';
import type { StepRecord } from './step-record';

/**
 * What expressions read of a step: the values of its output in state. A review's verdict is in our words, since its reviewer may use
 * others; the report stays as the reviewer wrote it.
 */
export function valuesRead(record: Pick<StepRecord, 'output' | 'kept'> | undefined): Readonly<Record<string, Json>> | undefined {
  const values = record?.output?.values;
  const verdict = verdictInState(record)?.verdict;
  if (!values || verdict === undefined || !Object.hasOwn(values, 'verdict') || values['verdict'] === verdict) return values;
  return spelledObject(spelledFields(values).map(([key, value]) => [key, key === 'verdict' ? verdict : value]));
}
