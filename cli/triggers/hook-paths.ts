import { scheduleOf } from '../../client/apply-schedules';
import type { WantedSchedule } from '../../client/schedule-options';
import type { Configuration } from '../settings/configuration';

/** A web hook by the id of its schedule. */
export interface HookPath {
  schedule: string;
  path: string;
}

export function hookPathsIn(wanted: readonly WantedSchedule[]): HookPath[] {
  return wanted.flatMap((one) => (one.trigger.kind === 'webhook' ? [{ schedule: scheduleOf(one), path: one.trigger.path }] : []));
}

/** A sentence for each path that several web hooks have: the listener could not tell their deliveries apart. */
export function samePaths(hooks: readonly HookPath[]): string[] {
  const found = new Map<string, Set<string>>();
  for (const { path, schedule } of hooks) found.set(path, (found.get(path) ?? new Set()).add(schedule));
  return [...found]
    .filter(([, schedules]) => schedules.size > 1)
    .map(([path, schedules]) => `the web hooks ${[...schedules].sort().join(' and ')} have the same path "${path}"`);
}

export const SAME_PATH_HINT = 'give each a `webhook:` of its own';

/** Where deliveries are sent. Without `callbacks.url` nobody knows the listener's address from outside. */
export function hookAddress({ callbacks }: Pick<Configuration, 'callbacks'>, path: string): string {
  return `${callbacks.value.url?.replace(/\/+$/, '') ?? ''}/hooks/${path}`;
}
