import type { ScheduleOwner } from '../../client/schedule-options';
import type { Us } from '../../client/schedule-owner';
import { defined } from '../../plan/defined';
import { installationId, knownInstallationId } from '../../records/directory/installation-id';
import type { Session } from '../session/session';

/** Who owns what `schedule apply` makes here. The state folder gets its id with the first of them. */
export async function ownerHere({ client, configuration }: Pick<Session, 'client' | 'configuration'>): Promise<ScheduleOwner> {
  return { installation: await installationId(configuration.stateDir.value), taskQueue: client.taskQueue };
}

/** The same for what only looks, or changes what is there: it makes no id. */
export async function usHere({ client, configuration }: Pick<Session, 'client' | 'configuration'>): Promise<Us> {
  const installation = await knownInstallationId(configuration.stateDir.value);
  return { taskQueue: client.taskQueue, ...defined({ installation }) };
}
