import { render } from '../../plan/evaluate';
import type { ActivityOptions } from '../run-context';
import type { Place } from './place';
import { workPolicy } from './policies';
import type { Run } from './run';
import { controlScope } from './scope';

/** How a step's own activity runs: its timeouts, and which workers take it in which order. */
export function stepPolicy(
  run: Run,
  place: Place,
  timeoutMs: number | undefined = place.step.timeoutMs,
): Pick<ActivityOptions, 'startToCloseMs' | 'heartbeatMs' | 'queue' | 'priority' | 'summary'> {
  const summary = summaryOf(run, place);
  return { ...workPolicy(timeoutMs), ...workerPolicy(place), ...(summary === undefined ? {} : { summary }) };
}

/** Which workers take it, and in which order: as the step says, or what is around it. */
export function workerPolicy(place: Place): Pick<ActivityOptions, 'queue' | 'priority'> {
  let { queue, priority } = place.step;
  for (let around = place.frame.container; around; around = around.frame.container) {
    queue ??= around.step.queue;
    priority ??= around.step.priority;
  }
  return { ...(queue === undefined ? {} : { queue }), ...(priority === undefined ? {} : { priority }) };
}

/** The author's line for the Temporal UI. */
export function summaryOf(run: Run, { step, frame }: Place): string | undefined {
  return step.summary && render(step.summary, controlScope(run, frame)).slice(0, SUMMARY_CHARACTERS);
}
const SUMMARY_CHARACTERS = 200;
