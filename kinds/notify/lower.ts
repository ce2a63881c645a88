import { NOTHING } from '../../compiler/expression/output-shape';
import { upstreamStep, useChannel } from '../../compiler/lower/context';
import type { KindLowering } from '../../compiler/lower/kind-lowering';
import type { LoweredStep, StepContext } from '../../compiler/lower/step-context';
import type { WorkOf } from '../../compiler/shape/source';
import type { NotifyStep } from './model';

export const NOTIFY_LOWERING: KindLowering<WorkOf<'notify'>> = {
  lower: notifyStep,
  output: () => NOTHING,
};

function notifyStep({ notify }: WorkOf<'notify'>, { base, place, context, template }: StepContext): LoweredStep | undefined {
  if (!notify) return undefined;
  const { channel, report: reported } = notify;
  const message = template(notify.message);
  if (channel) useChannel(channel, context);
  const report = reported && upstreamStep(reported, place, 'report', context, { output: true }) ? reported.value : undefined;
  if (!channel || !message) return undefined;
  const step: NotifyStep = { ...base, kind: 'notify', channel: channel.value, message };
  if (report === undefined) return { step };
  step.report = report;
  return { step, inputs: [report] };
}
