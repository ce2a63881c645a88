import { defined } from '../../plan/defined';
import type { CronTrigger, Plan } from '../../plan/plan';
import { checkArgs } from '../../plan/run/args';
import { spelledObject } from '../../plan/text/spelled-json';
import type { Report } from '../diagnostics/diagnostic';
import type { Installation } from '../installation';
import type { CronSource, PipelineShape } from '../shape/source';
import { lowerWebHook } from './web-hook';
import { zoneOf } from './zone';

/**
 * Each trigger with its time zone: its own, else that of the settings, else UTC, with a warning if the machine uses another. Reports args
 * that the plan does not take, and those that a run would lack.
 */
export function lowerTriggers(
  { triggers }: Pick<PipelineShape, 'triggers'>,
  plan: Pick<Plan, 'args' | 'context' | 'dialect'>,
  { installation, report }: { installation: Installation; report: Report },
): Pick<Plan, 'trigger' | 'moreTriggers'> {
  const [first, ...others] = triggers.map((trigger) => {
    if (trigger.kind === 'webhook') return lowerWebHook(trigger, plan, report);
    const { at, args, ...rest } = trigger;
    checkZone(trigger, installation, report);
    checkTriggerArgs(trigger, plan, report);
    const timezone = zoneOf({ triggers: [trigger] }, installation);
    const given = args && spelledObject([...args].map(([name, { value }]) => [name, value]));
    return { ...rest, timezone, ...defined({ args: given }) } satisfies CronTrigger;
  });
  return { trigger: first ?? { kind: 'manual' }, ...(others.length > 0 ? { moreTriggers: others } : {}) };
}

function checkZone({ timezone, at }: CronSource, installation: Installation, report: Report): void {
  const { machineTimezone = 'UTC' } = installation;
  if (timezone !== undefined || installation.timezone !== undefined || machineTimezone === 'UTC') return;
  const hint = `write \`trigger: {cron: …, timezone: ${machineTimezone}}\`, or \`timezone: ${machineTimezone}\` in thermidor.yaml; \`timezone: UTC\` keeps UTC`;
  report('trigger.utc', at, `the trigger uses UTC, and this machine uses ${machineTimezone}`, hint);
}

/** Nobody is there to type an arg when a schedule starts a run. */
function checkTriggerArgs({ at, args = new Map() }: CronSource, plan: Pick<Plan, 'args' | 'context' | 'dialect'>, report: Report): void {
  const given = spelledObject([...args].map(([name, { value }]) => [name, value]));
  for (const { arg, problem } of checkArgs(plan, given).problems) {
    const written = args.get(arg);
    const place = !written ? at : Object.hasOwn(plan.args ?? {}, arg) ? written.at : written.keyAt;
    const hint = written ? undefined : `give it a default, or write \`args: {${arg}: …}\` in the trigger`;
    report('trigger.bad-args', place, `in runs of this trigger the arg "${arg}" ${problem}`, hint);
  }
}
