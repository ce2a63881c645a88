import type { Sha256 } from '../../plan/artifact';
import type { Template } from '../../plan/expression';
import type { Json } from '../../plan/json';
import type { Gated } from '../../plan/step-base';

export interface InputStep extends Gated {
  kind: 'input';
  /** JSON Schema of the answer. Absent: any JSON. */
  responseSchema?: Sha256;
  /** Offered to the person, and taken where the time runs out and they satisfy the schema. */
  defaults?: Json;
  /** What the question is about. Absent: the output of the step before. */
  subject?: Template;
}
