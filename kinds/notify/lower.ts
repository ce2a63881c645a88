import { NOTHING } from '../../compiler/expression/output-shape';
import { noteChannel, upstreamStep } from '../../compiler/lower/context';
import type { Here, LoweredStep } from '../../compiler/lower/here';
import type { Lowering } from '../../compiler/lower/lowering';
import type { NotifyStep } from './model';
import type { NotifySource } from './source';

export const NOTIFY_LOWERING: Lowering<NotifySource> = {
  lower: notifyStep,
  output: () => NOTHING,
};

function notifyStep(work: NotifySource, { base, place, context, template }: Here): LoweredStep | undefined {
  const message = template(work.message);
  if (work.channel) noteChannel(work.channel, context);
  const report = work.report && upstreamStep(work.report, place, 'report', context, { output: true }) ? work.report.value : undefined;
  if (!work.channel || !message) return undefined;
  const step: NotifyStep = { ...base, kind: 'notify', channel: work.channel.value, message };
  if (report === undefined) return { step };
  step.report = report;
  return { step, inputs: [report] };
}
