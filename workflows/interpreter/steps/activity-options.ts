import { defined } from '../../../plan/defined';
import { render } from '../../../plan/expressions/evaluate';
import { beginning } from '../../../plan/text/shortened';
import type { ActivityOptions } from '../../run-context';
import type { Run } from '../run';
import type { Place } from '../scheduling/place';
import { workPolicy } from './activity-timeouts';
import { controlScope } from './expression-scope';

/** How a step's own activity runs: its timeouts, and which workers take it in which order. */
export function stepActivityOptions(
  run: Run,
  place: Place,
  timeoutMs: number | undefined = place.step.timeoutMs,
): Pick<ActivityOptions, 'startToCloseMs' | 'heartbeatMs' | 'queue' | 'priority' | 'summary'> {
  const summary = activitySummary(run, place);
  return { ...workPolicy(timeoutMs), ...workerActivityOptions(place), ...defined({ summary }) };
}

/** Which workers take it, and with which priority: as the step or its container says. */
export function workerActivityOptions(place: Place): Pick<ActivityOptions, 'queue' | 'priority'> {
  let { queue, priority } = place.step;
  for (let around = place.frame.container; around; around = around.frame.container) {
    queue ??= around.step.queue;
    priority ??= around.step.priority;
  }
  return defined({ queue, priority });
}

/** The author's line for the Temporal UI. */
export function activitySummary(run: Run, { step, frame }: Place): string | undefined {
  return step.summary && beginning(render(step.summary, controlScope(run, frame)), SUMMARY_CHARACTERS);
}
const SUMMARY_CHARACTERS = 200;
