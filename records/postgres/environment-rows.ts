import { ThermidorFailure } from '../../plan/run/failure';
import type { CallerEnvironment, EnvironmentStore } from '../caller-environments';
import { callerIn, callerText, withoutOurs } from '../stored-caller';
import type { Database } from './database';

/**
 * The environments of callers in a table. They are full of secrets, and they are stored as they are: they can be read by the database's
 * user that workers have, by its superusers, and by anyone who has a backup or a replica. The connection shows them to the network, unless
 * it is encrypted (`sslmode`). The row of a run is removed when the run is over.
 */
export class EnvironmentRows implements EnvironmentStore {
  constructor(
    private readonly database: Database,
    private readonly worker: NodeJS.ProcessEnv = process.env,
  ) {}

  async callerOf(workflowId: string): Promise<CallerEnvironment> {
    const [found] = await this.database.query<{ caller: string }>(GET, [workflowId]);
    if (!found) return { env: withoutOurs(this.worker) };
    const caller = callerIn(found.caller);
    if (caller) return caller;
    // Its text is secret.
    throw new ThermidorFailure(
      'store.unavailable',
      `the stored environment of ${workflowId} is none; remove its row to use the worker's own`,
    );
  }

  async write(workflowId: string, caller: { env: NodeJS.ProcessEnv; cwd?: string }): Promise<void> {
    await this.database.query(WRITE, [workflowId, callerText(caller)]);
  }

  async inherit(workflowId: string, parent: string): Promise<void> {
    await this.database.query(INHERIT, [workflowId, parent]);
  }

  async remove(workflowId: string): Promise<void> {
    // "/" follows the full stop in the order of bytes.
    await this.database.query(REMOVE, [workflowId, `${workflowId}.`, `${workflowId}/`]);
  }
}

const GET = 'select caller from thermidor.environment where workflow_id = $1';
const WRITE = `
insert into thermidor.environment (workflow_id, caller) values ($1, $2) 
on conflict (workflow_id) do update set caller = excluded.caller, written_at = clock_timestamp()`;
const INHERIT = `
insert into thermidor.environment (workflow_id, caller)
select $1, caller from thermidor.environment where workflow_id = $2 on conflict do nothing`;
const REMOVE = 'delete from thermidor.environment where workflow_id = $1 or (workflow_id >= $2 and workflow_id < $3)';
