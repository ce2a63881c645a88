import type { Step, StepBase } from '../../plan/step';
import { unreachable } from '../../plan/unreachable';
import type { Place } from '../places';
import { actionsOf } from './action';
import { agentStep } from './agent-step';
import { childStep } from './child-step';
import { commandStep } from './command-step';
import { type Context, controlOf, noteChannel, upstreamStep } from './context';
import { forEachStep, groupStep, parallelStep } from './fan-out-step';
import { approvalStep, inputStep } from './gate-step';
import { type Here, hereOf, type LoweredStep } from './here';
import { addPlacement } from './placement';
import { renderedBy } from './references';

/**
 * A step as written → a step of the plan. Every name is looked up on the way, so that all mistakes are found even where
 * the step cannot be made. Keys that say nothing are left out.
 */
export function lowerStep(place: Place, context: Context, inner: Here['inner']): Step | undefined {
  const source = place.step;
  const { block } = place;
  const base: StepBase = { id: source.id };
  const here = hereOf(place, base, context, inner);
  if (source.description !== undefined) base.description = source.description;
  const after = block.order.kind === 'graph' ? block.order.before(place.index).map((index) => block.places[index]?.step.id ?? '') : [];
  if (after.length > 0) base.after = after;
  const when = controlOf(source.when, place, context);
  if (when) base.when = when;
  if (source.timeoutMs !== undefined) base.timeoutMs = source.timeoutMs;
  if (source.retry) base.retry = source.retry;
  if (source.onError) base.onError = actionsOf(source.onError, 'on_error', place, context);
  addPlacement(here);

  const made = lowerWork(here);
  if (!made) return undefined;
  const { step, inputs = [] } = made;
  const rendered = renderedBy(here.templates);
  const positionOf = (id: string): number => context.places.byId.get(id)?.position ?? 0;
  const all = [...new Set([...inputs, ...rendered.inputs])].filter((id) => id !== source.id);
  if (all.length > 0) step.inputs = all.sort((a, b) => positionOf(a) - positionOf(b));
  const records = rendered.records.filter((record) => record.step !== source.id);
  if (records.length > 0) step.records = records;
  return step;
}

function lowerWork(here: Here): LoweredStep | undefined {
  const { place, base, context, template } = here;
  const { work } = place.step;
  switch (work?.kind) {
    case undefined:
      return undefined;
    case 'agent':
    case 'review':
      return agentStep(work, here);
    case 'command':
      return commandStep(work, here);
    case 'approval':
      return approvalStep(work, here);
    case 'input':
      return inputStep(work, here);
    case 'notify': {
      const message = template(work.message);
      if (work.channel) noteChannel(work.channel, context);
      const report = work.report && upstreamStep(work.report, place, 'report', context, { output: true }) ? work.report.value : undefined;
      if (!work.channel || !message) return undefined;
      const step: Step = { ...base, kind: 'notify', channel: work.channel.value, message };
      if (report === undefined) return { step };
      step.report = report;
      return { step, inputs: [report] };
    }
    case 'wait': {
      const until = controlOf(work.until, place, context);
      if (work.forMs !== undefined) return { step: { ...base, kind: 'wait', forMs: work.forMs } };
      if (work.signal !== undefined) return { step: { ...base, kind: 'wait', signal: work.signal } };
      return until && { step: { ...base, kind: 'wait', until } };
    }
    case 'parallel':
      return parallelStep(work, here);
    case 'group':
      return groupStep(here);
    case 'for_each':
      return forEachStep(work, here);
    case 'pipeline':
      return childStep(work, here);
    default:
      return unreachable(work);
  }
}
