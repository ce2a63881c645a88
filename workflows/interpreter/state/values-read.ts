import type { Json } from '../../../plan/text/json';
import { spelledFields, spelledObject } from '../../../plan/text/json-text';
import { beganWith } from './began-with';
import { verdictInState } from './kind-state';
import type { InterpreterState } from './state';
import type { StepRecord } from './step-record';

/**
 * What expressions read of a step: the values that its output has brought into state. Of a review the verdict is in our words, since its reviewer may have others;
 * the report stays as the reviewer wrote it. Runs of version 4 and before read the reviewer's word.
 */
export function valuesRead(
  run: { state: Pick<InterpreterState, 'version'> },
  record: Pick<StepRecord, 'values' | 'kept'> | undefined,
): Readonly<Record<string, Json>> | undefined {
  const values = record?.values;
  const verdict = verdictInState(record)?.verdict;
  if (!values || verdict === undefined || !Object.hasOwn(values, 'verdict') || values['verdict'] === verdict || !beganWith(run, 5))
    return values;
  return spelledObject(spelledFields(values).map(([key, value]) => [key, key === 'verdict' ? verdict : value]));
}
