import type { Installation } from '../installation';
import type { PipelineShape } from '../shape/source';

/** The time zone of a pipeline: that of its first trigger, else the installation's, else UTC. */
export function zoneOf(
  { triggers: [first] }: Pick<PipelineShape, 'triggers'>,
  { timezone = 'UTC' }: Pick<Installation, 'timezone'>,
): string {
  return first?.timezone ?? timezone;
}
