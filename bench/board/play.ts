import type { BoardEvent, BoardOutcome } from '../../kinds/board/machine/events';
import { handle, newBoard } from '../../kinds/board/machine/machine';
import { idleDue } from '../../kinds/board/machine/members';
import { taskOf } from '../../kinds/board/machine/tasks';
import type { BoardState } from '../../kinds/board/state';
import type { Work } from './tasks';

export interface Played {
  state: BoardState;
  /** When the last task was completed. */
  finishMs: number;
  events: number;
  /** Subjects in the order in which they were begun, and in which they were completed. */
  begun: string[];
  completed: string[];
}

/** May look at the state after each event, and put a copy in its place, as another execution does. */
export type AfterEvent = (state: BoardState, event: BoardEvent, outcome: BoardOutcome) => BoardState;

interface Alarm {
  atMs: number;
  member: string;
  kind: 'done' | 'idle';
}

/** A board on a clock of its own: each WORK takes the time of its task, and ends with it completed. */
export function playBoard({ tasks, members, latencyOf }: Work, afterEvent: AfterEvent = (state) => state): Played {
  const limits = { members: members.length, idleMs: 60_000, shutdownMs: 300_000, attempts: 3, spawns: [], until: 'idle' as const };
  let state = newBoard('bench', limits);
  let nowMs = 0;
  let alarms: Alarm[] = [];
  const played = { finishMs: 0, events: 0, begun: [] as string[], completed: [] as string[] };
  tell({ kind: 'opened', members, tasks });
  for (let next = earliest(); next; next = earliest()) {
    nowMs = next.atMs;
    if (next.kind === 'idle') tell({ kind: 'idle-over', member: next.member });
    else finish(next.member);
  }
  return { state, ...played };

  function tell(event: BoardEvent): void {
    const outcome = handle(state, event, nowMs);
    played.events += 1;
    for (const decision of outcome.decisions) {
      if (decision.kind !== 'work' || decision.order.task === undefined) continue;
      const { subject } = taskOf(state, decision.order.task);
      played.begun.push(subject);
      alarms.push({ atMs: nowMs + latencyOf(subject), member: decision.member, kind: 'done' });
    }
    state = afterEvent(state, event, outcome);
  }

  function finish(member: string): void {
    const task = state.tasks.find(({ owner, status }) => owner === member && status === 'in_progress');
    if (!task) throw new Error(`${member} works on nothing`);
    const id = `done-${task.number}`;
    played.completed.push(task.subject);
    played.finishMs = nowMs;
    tell({ kind: 'asked', member, id, request: { kind: 'complete_task', task: task.number } });
    tell({ kind: 'work-ended', member, end: 'stopped' });
  }

  /** Works before idle times, by member. */
  function earliest(): Alarm | undefined {
    const idle = state.members.flatMap((member): Alarm[] => {
      const atMs = idleDue(state, member);
      return atMs === undefined ? [] : [{ atMs, member: member.name, kind: 'idle' }];
    });
    const [first] = [...alarms, ...idle].sort((a, b) => a.atMs - b.atMs || a.kind.localeCompare(b.kind));
    alarms = alarms.filter((one) => one !== first);
    return first;
  }
}
