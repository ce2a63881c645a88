import type { Step } from '../../../plan/steps/step';
import { renderedBy } from '../../lower/references';
import type { LobsterContext, Templates } from './context';

/** A step with its reads filled in from its templates: whole outputs by reference, and fields of records. */
export function withReads<S extends Step>(step: S, templates: Templates, { ids }: LobsterContext): S {
  const { inputs, records } = renderedBy(templates);
  if (inputs.size > 0) step.inputs = [...inputs].sort((a, b) => ids.position(a) - ids.position(b));
  if (records.length > 0) step.records = records;
  return step;
}
