import type { ReadAskedTask, ReadAskedTasksInput, SettleAskedTasksInput } from '../../plan/board/asked-task';
import { teamRunId } from '../../plan/board/team-run';
import type { AskedBy } from '../../plan/queue/ticket';
import { readAsked, readTaskOutcome, recordTaken, recordTaskOutcome, wasWithdrawn } from '../../records/asked-tasks';
import type { ActivityCall } from '../activity-call';
import type { Toolbox } from '../toolbox';

/** Tasks that other runs give to a team: the team's side. A team believes only what is in the ledgers of those who ask. */

export async function readAskedTasks({ ledger }: Toolbox, call: ActivityCall, { asked }: ReadAskedTasksInput): Promise<ReadAskedTask[]> {
  return await Promise.all(
    asked.map(async (one): Promise<ReadAskedTask> => {
      const found = await readOwn(ledger, call, one);
      if (!found || (await readTaskOutcome(ledger, one))) return { kind: 'known' };
      return (await wasWithdrawn(ledger, one)) ? { kind: 'withdrawn' } : { kind: 'task', task: found.task };
    }),
  );
}

/** What has come of a task is in the ledger before anybody is woken. What is another team's stays as it is. */
export async function settleAskedTasks(toolbox: Toolbox, call: ActivityCall, { taken, outcomes }: SettleAskedTasksInput): Promise<void> {
  const { ledger, log, queueAsker } = toolbox;
  const woken = new Map<string, AskedBy>();
  const own = async (asked: AskedBy): Promise<boolean> => {
    if (!(await readOwn(ledger, call, asked))) return false;
    woken.set(JSON.stringify(asked), asked);
    return true;
  };
  for (const { asked, id } of taken) if (await own(asked)) await recordTaken(ledger, asked, id);
  for (const { asked, outcome } of outcomes) if (await own(asked)) await recordTaskOutcome(ledger, asked, outcome);
  for (const asked of woken.values()) {
    await queueAsker
      ?.wake(asked)
      .catch((error: unknown) =>
        log('warn', 'a run that has given a task to a team could not be woken', { asker: asked.workflowId, problem: String(error) }),
      );
  }
}

async function readOwn(ledger: Toolbox['ledger'], { key }: ActivityCall, asked: AskedBy) {
  const found = await readAsked(ledger, asked);
  return found && teamRunId(found.team) === key.workflowId ? found : undefined;
}
