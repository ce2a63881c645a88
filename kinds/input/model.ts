import type { Template } from '../../plan/expressions/expression';
import type { Sha256 } from '../../plan/run/artifact';
import type { GatedStep } from '../../plan/steps/step-base';
import type { Json } from '../../plan/text/json';

export interface InputStep extends GatedStep {
  kind: 'input';
  /** JSON Schema of the answer. Absent: any JSON. */
  responseSchema?: Sha256;
  /** Offered to the person, and taken if the time runs out and they satisfy the schema. */
  defaults?: Json;
  /** The subject of the question. Absent: the output of the step before. */
  subject?: Template;
}
