import type { Installation } from '../installation';
import type { PipelineShape } from '../shape/source';

/** The time zone of a pipeline: that of its first times, else the installation's, else UTC. */
export function zoneOf({ triggers }: Pick<PipelineShape, 'triggers'>, { timezone = 'UTC' }: Pick<Installation, 'timezone'>): string {
  return triggers.find((trigger) => trigger.kind === 'cron')?.timezone ?? timezone;
}
