import type { Template } from '../../plan/expressions/expression';
import type { Sha256 } from '../../plan/run/artifact';
import type { StepBase } from '../../plan/steps/step-base';

/** Another pipeline as a child workflow. Puts out what that one does. */
export interface PipelineStep extends StepBase {
  kind: 'pipeline';
  pipeline: string;
  /** The child's frozen plan, as a blob. */
  plan: Sha256;
  /** `{arg: Template}` as JSON, by digest. */
  with?: Sha256;
  /** Lobster alone: what the child's commands find in their environment beneath their own, and the folder they run in. */
  env?: Record<string, Template>;
  cwd?: Template;
}
