import type { Installation } from '../installation';
import type { PipelineShape } from '../shape/source';

/** The time zone of a pipeline: its trigger's, else the installation's, else UTC. */
export function zoneOf({ trigger }: Pick<PipelineShape, 'trigger'>, { timezone = 'UTC' }: Pick<Installation, 'timezone'>): string {
  return (trigger.kind === 'cron' ? trigger.timezone : undefined) ?? timezone;
}
