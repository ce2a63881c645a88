import { NOTHING } from '../../compiler/expression/output-shape';
import { upstreamStep, useChannel } from '../../compiler/lower/context';
import type { KindLowering } from '../../compiler/lower/kind-lowering';
import type { LoweredStep, StepContext } from '../../compiler/lower/step-context';
import type { NotifyStep } from './model';
import type { NotifySource } from './source';

export const NOTIFY_LOWERING: KindLowering<NotifySource> = {
  lower: notifyStep,
  output: () => NOTHING,
};

function notifyStep(work: NotifySource, { base, place, context, template }: StepContext): LoweredStep | undefined {
  const message = template(work.message);
  if (work.channel) useChannel(work.channel, context);
  const report = work.report && upstreamStep(work.report, place, 'report', context, { output: true }) ? work.report.value : undefined;
  if (!work.channel || !message) return undefined;
  const step: NotifyStep = { ...base, kind: 'notify', channel: work.channel.value, message };
  if (report === undefined) return { step };
  step.report = report;
  return { step, inputs: [report] };
}
