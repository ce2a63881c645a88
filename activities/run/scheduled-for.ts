import { cronTriggersOf, type Plan, scheduleIdOf } from '../../plan/plan';
import type { OpenRunInput } from '../../plan/run/run-activities';
import type { ScheduledFor } from '../../plan/run/run-input';
import { cronMoments, readCron } from '../../plan/text/cron-moments';

/**
 * The moment that a run is for: that of its schedule, else the one that its starter gives. The moment before it is the trigger's: the one
 * of its schedule, or the first of the file if a person gives the moment. Nobody proves these moments, nor who started a scheduled run.
 */
export function scheduledFor(
  plan: Pick<Plan, 'name' | 'trigger' | 'moreTriggers'>,
  { scheduledBy, scheduledAt }: Pick<OpenRunInput, 'scheduledBy' | 'scheduledAt'>,
  given: ScheduledFor | undefined,
): ScheduledFor | undefined {
  const scheduled = scheduledAt === undefined ? given : { at: scheduledAt };
  if (!scheduled || scheduled.before !== undefined) return scheduled;
  const triggers = cronTriggersOf(plan);
  const trigger = scheduledAt === undefined ? triggers[0] : triggers.find((one) => scheduleIdOf(plan.name, one) === scheduledBy);
  if (!trigger) return scheduled;
  const crons = trigger.expressions.map(readCron).filter((cron) => cron !== undefined);
  const before = cronMoments(crons, trigger.timezone).before(Date.parse(scheduled.at));
  return before === undefined ? scheduled : { ...scheduled, before: new Date(before).toISOString() };
}
