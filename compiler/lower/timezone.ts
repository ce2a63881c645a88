import type { Trigger } from '../../plan/plan';
import type { Report } from '../diagnostics/diagnostic';
import type { Installation } from '../installation';
import type { PipelineSource } from '../shape/source';

/** The trigger with its time zone: its own, else that of the settings, else UTC, with a warning if the machine uses another. */
export function withTimezone(
  { trigger }: Pick<PipelineSource, 'trigger'>,
  { installation }: { installation: Installation },
  report: Report,
): Trigger {
  if (trigger.kind === 'manual') return trigger;
  const { at, timezone = installation.timezone ?? 'UTC', ...rest } = trigger;
  const { machineTimezone = 'UTC' } = installation;
  if (trigger.timezone === undefined && installation.timezone === undefined && machineTimezone !== 'UTC') {
    const hint = `write \`trigger: {cron: …, timezone: ${machineTimezone}}\`, or \`timezone: ${machineTimezone}\` in thermidor.yaml; \`timezone: UTC\` keeps it`;
    report('trigger.utc', at, `the trigger goes by UTC, and this machine by ${machineTimezone}`, hint);
  }
  return { ...rest, timezone };
}
