import type { Template } from '../../plan/expressions/expression';
import type { Sha256 } from '../../plan/run/artifact';
import type { StepBase } from '../../plan/steps/step-base';

/** Another pipeline as a child workflow, with that one's output. */
export interface PipelineStep extends StepBase {
  kind: 'pipeline';
  pipeline: string;
  /** The child's frozen plan, as a blob. */
  plan: Sha256;
  /** `{arg: Template}` as JSON, by digest. */
  with?: Sha256;
  /** Lobster alone: variables of the child's commands that their own override, and their folder. */
  env?: Record<string, Template>;
  cwd?: Template;
}
