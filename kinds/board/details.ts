import type { BoardDetails, MemberDetails, TaskDetails } from '../../plan/board/board-details';
import { type BoardState, forNobody, type TaskState } from '../../plan/board/board-state';
import { LEAD, type MessageToPerson } from '../../plan/board/message';
import { defined, unlessEmpty } from '../../plan/defined';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import { stepIdAt } from '../../workflows/interpreter/scheduling/place';
import { kindStateOf } from '../../workflows/interpreter/state/kind-state';
import { findMember } from './machine/members';
import { usedRow } from './rows';
import { BOARD_KEEPS, type BoardKept } from './state';
import type { MemberView } from './view';
import { iso } from './view';

/** Every board of a run, open or over, for people who look something up. */
export function boardDetails({ run }: Interpreter, inbox: string | undefined): BoardDetails[] {
  return Object.entries(run.state.records).flatMap(([path, record]) => {
    const kept = kindStateOf(record, 'board');
    const step = run.steps.get(stepIdAt(path))?.step;
    const view = kept && step && BOARD_KEEPS.shown?.(kept, step, true);
    if (!kept?.board || !view) return [];
    const { team, over, isDraining, completed, total, members } = view;
    const nobodys = forNobody(kept.board);
    const tasks = kept.board.tasks.map((task) => taskDetails(task, nobodys.has(task.number)));
    return {
      ...{ step: run.name(path), team, completed, total, tasks, members: members.map(memberDetails) },
      ...defined({ over, draining: isDraining, inbox: inbox === undefined ? undefined : inboxIn(kept, kept.board, inbox) }),
    };
  });
}

function inboxIn({ toPeople = [], asks }: BoardKept, board: BoardState, name: string): MessageToPerson[] | undefined {
  const member = findMember(board, name);
  if (member || name !== LEAD) return member?.inbox;
  const plans = asks?.open.flatMap(({ about }) => (about.kind === 'plan' && isPending(board, about.requestId) ? about.message : [])) ?? [];
  return [...toPeople, ...plans];
}

function isPending({ requests }: BoardState, requestId: string): boolean {
  return requests.some(({ id, status }) => id === requestId && status === 'pending');
}

function taskDetails(task: TaskState, isForNobody: boolean): TaskDetails {
  const { number, subject, status, name, owner, blockedBy, requiredRole, priority, description, by, attempt, returned, result, used } =
    task;
  return {
    ...{ id: number, subject, status, created_by: by, created_at: new Date(task.createdAtMs).toISOString(), attempts: attempt },
    ...defined({ name, owner, priority, description, returned, result }),
    ...(used ? usedRow(used) : {}),
    ...defined({ blocked_by: unlessEmpty([...blockedBy]), required_role: requiredRole, for_nobody: isForNobody || undefined }),
    ...defined({ claim_source: task.claimSource, claimed_at: iso(task.claimedAtMs), ended_at: iso(task.endedAtMs) }),
  };
}

function memberDetails({ isLead, ...member }: MemberView): MemberDetails {
  return { ...member, ...defined({ lead: isLead }) };
}
