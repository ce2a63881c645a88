import type { Template } from '../../plan/expressions/expression';
import type { Stage } from '../../plan/stages/stage';
import type { OutputSpec, StepBase } from '../../plan/steps/step-base';

/** Lobster's pipe of stages; `approve` and `ask` among them halt it and it continues after them. */
export interface StagesStep extends StepBase {
  kind: 'stages';
  stages: Stage[];
  /** One of its stages asks a model, whose cost nothing counts. */
  asksModel?: true;
  cwd?: Template;
  env?: Record<string, Template>;
  stdin?: Template;
  output?: OutputSpec;
}
