import { TEAM_RUNS } from '../../plan/board/team-run';
import type { RunKey } from '../ledger';
import type { Records } from '../records';
import { RUN_RECORD, readRunRecord } from '../runs/run-record';

type Stores = Pick<Records, 'runs' | 'ledger' | 'retention'>;

/**
 * A run with the runs of its child pipelines, at any depth, which go with it: children read their parent's ledger, and lists, costs and
 * logs
 * of a parent read those of its children. Undefined if the run is itself the child of one that is there, if a child is younger, or if it is
 * the last run of a team, which has the team's board.
 */
export async function familyOf(stores: Stores, head: RunKey, beforeMs: number): Promise<RunKey[] | undefined> {
  const { runs, retention } = stores;
  for (const above of idsAbove(head.workflowId)) if ((await runs.runsOf(above)).length > 0) return undefined;
  const ofId = await runs.runsOf(head.workflowId);
  if (head.workflowId.startsWith(TEAM_RUNS) && (await isNewest(stores, head, ofId))) return undefined;
  const below = await runs.list(`${head.workflowId}.`);
  const children: RunKey[] = [];
  for (const { workflowId, run } of below) {
    if (workflowId === undefined) return undefined;
    const child = { workflowId, run };
    if (ofId.length > 1 && !(await descends(stores, child, head))) continue;
    if (!(await retention.isOlder(child, beforeMs))) return undefined;
    children.push(child);
  }
  // Children first: what is broken off is found again by its head.
  return [...children, head];
}

/** The workflow ids of which a child pipeline may have this one. */
export function idsAbove(workflowId: string): string[] {
  const parts = workflowId.split('.');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('.'));
}

async function isNewest({ ledger }: Stores, head: RunKey, ofId: readonly RunKey[]): Promise<boolean> {
  const startedAt = async (run: RunKey): Promise<string> => {
    const record = await ledger.get(run, RUN_RECORD);
    return record === undefined ? '' : readRunRecord(record).startedAt;
  };
  const own = await startedAt(head);
  const others = await Promise.all(ofId.filter(({ run }) => run !== head.run).map(startedAt));
  return others.every((other) => other < own);
}

/** Several runs may have had the id one after the other, each with children of its own. */
async function descends({ ledger }: Stores, child: RunKey, head: RunKey): Promise<boolean> {
  const record = await ledger.get(child, RUN_RECORD);
  for (let above = record && readRunRecord(record).parent; above; above = above.parent)
    if (above.workflowId === head.workflowId) return above.run === head.run;
  return false;
}
