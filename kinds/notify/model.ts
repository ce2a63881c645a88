import type { Template } from '../../plan/expression';
import type { StepBase } from '../../plan/step-base';

export interface NotifyStep extends StepBase {
  kind: 'notify';
  channel: string;
  message: Template;
  /** A step whose output goes with the message. */
  report?: string;
}
