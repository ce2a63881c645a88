import { type BoardState, completedOf, forNobody, type MemberState, occupantOf, type TaskState } from '../../../plan/board/board-state';
import type { BoardAnswer, BoardRequest, BoardResult } from '../../../plan/board/request';
import type { TaskRef } from '../../../plan/board/task';
import { defined, unlessEmpty } from '../../../plan/defined';
import type { Json } from '../../../plan/text/json';
import { unreachable } from '../../../plan/unreachable';
import type { BoardEvent } from './events';
import { type Handling, note } from './handling';
import { submitPlan } from './handshakes';
import { finish } from './landing';
import { findMember, fits, lives } from './members';
import { addTasks } from './new-tasks';
import { accept, refuse } from './refusals';
import { remember, remembered } from './requests';
import { spawn } from './spawns';
import { findTask, giveBack, openTasksOf, taskSaid, unknownTask, whyBlocked } from './tasks';
import { claim, isApart, isElsewhere } from './works';

/** What members ask by a call of a tool. The same call has one answer, but for `list_tasks`, which is fresh and changes nothing. */
export function ask(
  h: Handling,
  { member: name, id: call, request, commit }: Extract<BoardEvent, { kind: 'asked' }>,
): BoardAnswer | undefined {
  const member = findMember(h.state, name);
  const before = member && remembered(member, call);
  if (before) return before;
  const answer = absent(h.state, name, member) ?? (member && decide(h, member, { call, request, commit }));
  if (answer?.refused) note(h, { event: 'refused', by: name, request: request.kind, reason: reasonIn(answer) });
  if (member && answer && request.kind !== 'list_tasks' && member.status === 'working') remember(member, call, answer);
  return answer;
}

function reasonIn({ said }: BoardAnswer): string {
  return typeof said === 'object' && said !== null && !Array.isArray(said) ? String(said['refused']) : '';
}

/** Who has shut down claims nothing: the call comes from a WORK that is over. */
function absent(state: BoardState, name: string, member: MemberState | undefined): BoardAnswer | undefined {
  if (!member) return refuse('unknown_member', 'nobody in the team has this name', { name });
  if (state.over !== undefined) return refuse('board_over', 'the team has ended');
  if (!lives(member)) return refuse('shut_down', `you have ${member.status === 'failed' ? 'failed' : 'shut down'}; end here`);
  return member.status === 'working' ? undefined : refuse('not_working', 'this work is over');
}

interface Asked {
  call: string;
  request: BoardRequest;
  commit: string | undefined;
}

function decide(h: Handling, member: MemberState, { call, request, commit }: Asked): BoardAnswer | undefined {
  switch (request.kind) {
    case 'claim_task':
      return claimByHand(h, member, request.task);
    case 'create_task': {
      const added = addTasks(h, [request.task], member.name);
      return Array.isArray(added) ? accept({ created: added.map(createdSaid)[0] ?? null }) : added;
    }
    case 'complete_task':
      return ofOwner(h, member, request.task, (task) => completeByHand(h, member, task, { result: request.result, commit }));
    case 'fail_task':
      return ofOwner(h, member, request.task, (task) => {
        giveBack(h, task, member.name, request.reason, request.whole);
        const hint = 'the next attempt begins in this worktree, as it is when your turn ends';
        return occupantOf(h.state.members, task) === member ? ended(task, hint) : ended(task);
      });
    case 'list_tasks':
      return accept(listed(h.state));
    case 'spawn_teammate':
      return spawn(h, member, request);
    case 'submit_plan':
      return submitPlan(h, member, call, request.message);
    default:
      return unreachable(request);
  }
}

function claimByHand(h: Handling, member: MemberState, ref: TaskRef): BoardAnswer {
  const { state } = h;
  const task = findTask(state, ref);
  if (!task) return unknownTask(state, ref);
  const wrong = task === 'done' ? isDone(ref) : (whyNotPending(task, member) ?? whyNotClaimed(state, task, member));
  if (wrong || task === 'done') return wrong ?? isDone(ref);
  claim(h, member, task, 'manual');
  // With a budget of its own it has a WORK of its own, which is charged to it.
  if (!isApart(state, member, task)) return accept({ claimed: taskSaid(task) });
  task.isUnbegun = true;
  return accept({ claimed: taskSaid(task), begins_with_next_work: true });
}

/** Only from its worktree: what is there when the call is made is what lands. */
function completeByHand(
  h: Handling,
  member: MemberState,
  task: TaskState,
  { result, commit }: { result: BoardResult | undefined; commit: string | undefined },
): BoardAnswer {
  if (task.worktree !== undefined && isElsewhere(member, task)) {
    const hint = 'it has a worktree of its own: end this turn, and the next one begins there';
    return refuse('elsewhere', hint, { task: task.number, worktree: task.worktree });
  }
  finish(h, task, { result, commit });
  if (task.status === 'landing') {
    const hint = 'it is completed once the merge queue has landed it. Go on with other work; what comes back is in your inbox';
    return ended(task, hint);
  }
  if (task.worktree === undefined || commit !== undefined) return ended(task);
  return ended(task, `nothing has changed in its worktree${h.state.limits.lands ? ', so nothing lands' : ''}`);
}

function ended({ number, status }: TaskState, hint?: string): BoardAnswer {
  return accept({ task: { id: number, status }, ...defined({ hint }) });
}

function isDone(ref: TaskRef): BoardAnswer {
  return refuse('done', 'the task has ended; choose another', { task: ref });
}

function whyNotPending({ number, status, owner }: TaskState, member: MemberState): BoardAnswer | undefined {
  switch (status) {
    case 'pending':
      return undefined;
    case 'in_progress': {
      const hint = owner === member.name ? 'it is yours already: do it' : 'choose another task';
      return refuse('already_claimed', hint, { task: number, by: owner ?? '' });
    }
    case 'landing':
      return refuse('already_claimed', 'it is done, and in the merge queue', { task: number, by: owner ?? '' });
    case 'completed':
      return isDone(number);
    case 'held':
      return refuse('held', 'it was tried too often, or its budget is used up: a person decides about it', { task: number });
    case 'dropped':
      return refuse('dropped', 'a person has left it out', { task: number });
    default:
      return unreachable(status);
  }
}

function whyNotClaimed(state: BoardState, task: TaskState, member: MemberState): BoardAnswer | undefined {
  const { number, requiredRole } = task;
  if (state.isDraining) return refuse('draining', 'the team is about to end: nothing is claimed any more', { task: number });
  if (member.isLeaving) return refuse('shut_down', 'you have agreed to shut down', { task: number });
  if (!fits(member, task)) {
    const able = state.members.filter((other) => lives(other) && fits(other, task)).map(({ name }) => name);
    const hint = able.length === 0 ? 'nobody here has this role' : `${able.join(', ')} may claim it`;
    return refuse('wrong_role', hint, { task: number, required_role: requiredRole ?? '', ...defined({ your_role: member.role }) });
  }
  const occupant = occupantOf(state.members, task);
  if (occupant && occupant !== member) {
    const hint = `${occupant.name} is still in its worktree: it is free when that turn ends`;
    return refuse('occupied', hint, { task: number, by: occupant.name });
  }
  const blockers = whyBlocked(state, task);
  if (blockers.length === 0) return undefined;
  const by = blockers.map((one) => ({ id: one.number, status: one.status }));
  const hopeless = blockers.find(({ isHopeless }) => isHopeless);
  const hint = hopeless ? `#${hopeless.number} will never be done: this task cannot be claimed` : 'these come first';
  return refuse('blocked', hint, { task: number, by });
}

function ofOwner({ state }: Handling, member: MemberState, named: TaskRef | undefined, end: (task: TaskState) => BoardAnswer): BoardAnswer {
  const open = openTasksOf(state, member.name);
  const here = open.filter((task) => !isApart(state, member, task));
  const own = (here.length > 0 ? here : open).map(({ number }) => number);
  const ref = named ?? (own.length === 1 ? own[0] : undefined);
  if (ref === undefined)
    return own.length === 0 ? refuse('not_yours', 'you own no task') : refuse('unfit', 'you own several tasks: say which', { tasks: own });
  const task = findTask(state, ref);
  if (!task) return unknownTask(state, ref);
  if (task === 'done' || task.status === 'completed') return isDone(ref);
  if (task.status !== 'in_progress' || task.owner !== member.name) {
    const hint =
      task.status === 'landing'
        ? 'it is in the merge queue already'
        : task.owner === undefined
          ? 'nobody has claimed it: claim it first'
          : `it is ${task.owner}'s`;
    return refuse('not_yours', hint, { task: task.number, ...defined({ by: task.owner }) });
  }
  return end(task);
}

/** The most tasks in one answer. */
const LISTED = 200;

/** Open tasks by number, then what was completed last. */
function listed(state: BoardState) {
  const { tasks, next, members, team } = state;
  const open = tasks.filter(({ status }) => status !== 'completed');
  const done = tasks.filter(({ status }) => status === 'completed').sort((a, b) => (b.endedAtMs ?? 0) - (a.endedAtMs ?? 0));
  const all = [...open, ...done];
  const nobodys = forNobody(state);
  const said = (task: TaskState) => ({ ...taskSaid(task), ...defined({ for_nobody: nobodys.has(task.number) || undefined }) });
  return {
    ...{ team, completed: completedOf(state), total: next - 1, tasks: all.slice(0, LISTED).map(said) },
    ...defined({ left_out: Math.max(0, all.length - LISTED) || undefined }),
    members: members.map(({ name, role, status, isLead }) => ({ name, status, ...defined({ role, lead: isLead }) })),
    ...defined({ roles: unlessEmpty([...new Set(members.flatMap(({ role }) => role ?? []))]) }),
  };
}

/** Its author knows what is to be done, and has no use for where the text is. */
function createdSaid(task: TaskState): Json {
  const { description: _known, ...said } = taskSaid(task);
  return said;
}
