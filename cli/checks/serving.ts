import { oldSettings, RESTART_HINT } from '../serving/live-workers';
import type { Configuration } from '../settings/configuration';
import type { Check } from './check';

/** Whether those who work for this folder have the settings of now. */
export async function checkServing(configuration: Configuration): Promise<Check[]> {
  return (await oldSettings(configuration)).map((says) => ({ name: 'settings', state: 'warning', says, hint: RESTART_HINT }));
}
