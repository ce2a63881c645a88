import type { AskedBy } from '../plan/queue/ticket';

/** Makes a team that runs look into the ledger of a run. */
export interface TeamAsker {
  /** Whether there is a run with this workflow id. Fails with `task.unreachable` if the server does not answer. */
  ask(team: string, asked: AskedBy): Promise<boolean>;
}
