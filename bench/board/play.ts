import type { BoardEvent, BoardOutcome } from '../../kinds/board/machine/events';
import { handle, newBoard } from '../../kinds/board/machine/machine';
import { idleDue, memberOf } from '../../kinds/board/machine/members';
import { taskOf } from '../../kinds/board/machine/tasks';
import type { BoardState } from '../../plan/board/board-state';
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
  kind: 'done' | 'idle' | 'landing';
  landing?: () => void;
}

/** How long the merge queue takes for a task, and whether it gives it back. */
export type Landing = (subject: string, offers: number) => { ms: number; comesBack?: boolean };

/**
 * A board on a clock of its own: each WORK takes the time of its task, and ends with it completed. With `landing` each task has a worktree,
 * and is completed once it has landed.
 */
export function playBoard({ tasks, members, latencyOf }: Work, afterEvent: AfterEvent = (state) => state, landing?: Landing): Played {
  const limits = {
    ...{ members: members.length, idleMs: 60_000, shutdownMs: 300_000, attempts: 3, spawns: [], until: 'idle' as const },
    ...(landing ? ({ worktrees: 'all', lands: true } as const) : {}),
  };
  let state = newBoard('bench', limits);
  let nowMs = 0;
  let alarms: Alarm[] = [];
  const played = { finishMs: 0, events: 0, begun: [] as string[], completed: [] as string[] };
  tell({ kind: 'opened', members, tasks });
  for (let next = earliest(); next; next = earliest()) {
    nowMs = next.atMs;
    if (next.landing) next.landing();
    else if (next.kind === 'idle') tell({ kind: 'idle-over', member: next.member });
    else finish(next.member);
  }
  return { state, ...played };

  function tell(event: BoardEvent): void {
    const outcome = handle(state, event, nowMs);
    played.events += 1;
    for (const decision of outcome.decisions) {
      if (decision.kind === 'land') land(decision.task);
      if (decision.kind !== 'work' || decision.order.task === undefined) continue;
      const { subject } = taskOf(state, decision.order.task);
      played.begun.push(subject);
      alarms.push({ atMs: nowMs + latencyOf(subject), member: decision.member, kind: 'done' });
    }
    state = afterEvent(state, event, outcome);
  }

  function finish(member: string): void {
    const number = memberOf(state, member).work?.task;
    if (number === undefined) throw new Error(`${member} works on nothing`);
    const task = taskOf(state, number);
    const id = `done-${task.number}-${task.attempt}`;
    if (!landing) complete(task.subject);
    const request = { kind: 'complete_task', task: task.number } as const;
    tell({ kind: 'asked', member, id, request, ...(landing ? { commit: `commit-${task.attempt}` } : {}) });
    tell({ kind: 'work-ended', member, end: 'stopped' });
  }

  function complete(subject: string): void {
    played.completed.push(subject);
    played.finishMs = nowMs;
  }

  function land(task: number): void {
    const { subject, offers = 0 } = taskOf(state, task);
    const { ms, comesBack } = landing?.(subject, offers) ?? { ms: 0 };
    const landed = (): void => {
      if (!comesBack) complete(subject);
      tell(comesBack ? { kind: 'came-back', task, reason: 'red' } : { kind: 'landed', task, commit: 'landed' });
    };
    alarms.push({ atMs: nowMs + ms, member: '', kind: 'landing', landing: landed });
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
