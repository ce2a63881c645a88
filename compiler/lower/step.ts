import { defined } from '../../plan/defined';
import type { RetryPolicy, Step, StepBase } from '../../plan/steps/step';
import type { RETRY_ROWS } from '../language/mappings/step';
import type { SourceOf } from '../shape/source-of';
import type { StepPosition } from '../step-positions';
import { lowerActions } from './action';
import { addPlacement } from './agents/placement';
import { controlOf } from './context';
import { LOWERING } from './kinds';
import type { LowerContext } from './lower-context';
import { renderedBy } from './references';
import { type StepContext, stepContextOf } from './step-context';
import { lowerEmits, producerTimeoutMs } from './streams';

/**
 * Lowers a step to a step of the plan. Every name is looked up, so that all mistakes are found even if the step cannot be lowered. Keys
 * that say nothing are left out.
 */
export function lowerStep(place: StepPosition, context: LowerContext, inner: StepContext['inner']): Step | undefined {
  const source = place.step;
  const { block } = place;
  const base: StepBase = { id: source.id };
  const here = stepContextOf(place, base, context, inner);
  if (source.description !== undefined) base.description = source.description.value.trim();
  const after = block.order.kind === 'graph' ? block.order.before(place.index).map((index) => block.places[index]?.step.id ?? '') : [];
  if (after.length > 0) base.after = after;
  if (place.awaits) base.awaits = place.awaits.map(({ step }) => step.id);
  const when = controlOf(source.when, place, context);
  if (when) base.when = when;
  const timeoutMs = producerTimeoutMs(place, context);
  if (timeoutMs !== undefined) base.timeoutMs = timeoutMs;
  if (source.blockedAfterMs !== undefined) base.blockedAfterMs = source.blockedAfterMs;
  const emits = lowerEmits(place, context);
  if (emits) base.emits = emits;
  if (source.retry) base.retry = retryOf(source.retry);
  if (source.onError) base.onError = lowerActions(source.onError, 'on_error', place, context);
  addPlacement(here);

  const made = source.work && LOWERING[source.work.kind].lower(source.work, here);
  if (!made) return undefined;
  const { step, inputs = [] } = made;
  const rendered = renderedBy(here.templates, (name) => context.variable(name, place));
  const positionOf = (id: string): number => context.places.byId.get(id)?.position ?? 0;
  const all = [...new Set([...inputs, ...rendered.inputs])].filter((id) => id !== source.id);
  if (all.length > 0) step.inputs = all.sort((a, b) => positionOf(a) - positionOf(b));
  const records = rendered.records.filter((record) => record.step !== source.id);
  if (records.length > 0) step.records = records;
  if (rendered.last.size > 0) step.lastInputs = [...rendered.last].sort((a, b) => positionOf(a) - positionOf(b));
  return step;
}

/** The longest delay between two tries if `max_delay` is not written. */
const MAX_DELAY_MS = 30_000;

function retryOf({ max = 1, backoff, delayMs, maxDelayMs, jitter }: SourceOf<typeof RETRY_ROWS>): RetryPolicy {
  // A delay that the author wrote is not cut short by the default ceiling.
  const longest = maxDelayMs ?? (delayMs !== undefined && delayMs > MAX_DELAY_MS ? delayMs : undefined);
  return {
    max,
    ...defined({ backoff: backoff === 'exponential' ? backoff : undefined, delayMs, maxDelayMs: longest, jitter: jitter || undefined }),
  };
}
