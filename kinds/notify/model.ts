import type { Template } from '../../plan/expressions/expression';
import type { StepBase } from '../../plan/steps/step-base';

export interface NotifyStep extends StepBase {
  kind: 'notify';
  channel: string;
  message: Template;
  /** A step whose output is sent with the message. */
  report?: string;
}
