import type { ScheduleOwner } from '../../client/schedule-options';
import type { Us } from '../../client/schedule-owner';
import { defined } from '../../plan/defined';
import type { Session } from '../session/session';
import { recordsOf } from '../settings/records';

/** The owner of what `schedule apply` creates here. The state folder gets its id with the first schedule. */
export async function ownerHere({ client, configuration }: Pick<Session, 'client' | 'configuration'>): Promise<ScheduleOwner> {
  return { installation: await recordsOf(configuration).identity.installation(), taskQueue: client.taskQueue };
}

/** The owner, for commands that only look, or change what exists: no id is created. */
export async function usHere({ client, configuration }: Pick<Session, 'client' | 'configuration'>): Promise<Us> {
  const installation = await recordsOf(configuration).identity.knownInstallation();
  return { taskQueue: client.taskQueue, ...defined({ installation }) };
}
