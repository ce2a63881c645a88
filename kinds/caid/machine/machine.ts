import { defined } from '../../../plan/defined';
import { bug } from '../../../plan/run/failure';
import { unreachable } from '../../../plan/unreachable';
import { complexityOf } from '../rules/check-graph';
import type { GraphUnit } from '../rules/task-graph';
import { engineerName, type SlotState, type TaskState, type TeamLimits, type TeamState, taskOf } from '../state';
import { cameBack, freeSlot, reopened } from './came-back';
import { readyTasks } from './ready-tasks';
import type { TeamDecision, TeamEvent } from './team-events';

/**
 * The team as a pure machine: events go in, decisions come out. It changes the given state, and nothing else. Invariants: 1. nothing is
 * assigned before everything that it waits for is merged; 2. never more tasks are at work than there are slots; 3. returned work goes to
 * its author, as often as the limit says, then to one owner, then to a person; 4. each assignment counts a round, so that the work ends.
 */

export function newTeam(units: readonly GraphUnit[], engineers: number, limits: TeamLimits, head = ''): TeamState {
  return {
    tasks: units.map((unit) => ({
      id: unit.id,
      waitsFor: [...unit.depends_on],
      files: [...unit.files],
      ...defined({ enablesTests: unit.priority?.enables_tests || undefined }),
      complexity: complexityOf(unit),
      ...defined({ command: unit.acceptance?.command }),
      ...{ stage: 'open' as const, attempt: 0, returns: 0, road: 'author' as const },
    })),
    slots: Array.from({ length: Math.min(engineers, units.length) }, () => ({ rounds: 0 })),
    limits,
    assignments: 0,
    merged: [],
    returned: {},
    head,
  };
}

export function handle(state: TeamState, event: TeamEvent): TeamDecision[] {
  const follows = taken(state, event);
  return [...follows, ...assign(state), ...concluded(state)];
}

function taken(state: TeamState, event: TeamEvent): TeamDecision[] {
  switch (event.kind) {
    case 'started':
      return [];
    case 'submitted': {
      const task = requireStage(state, event.task, 'working');
      freeSlot(state, task.id);
      task.stage = 'submitted';
      return [];
    }
    case 'merged': {
      const task = requireStage(state, event.task, 'submitted');
      task.stage = 'merged';
      task.result = event.result;
      moveHead(state, event);
      Object.assign(task, defined({ order: event.order, isBelieved: event.isGreen ? undefined : event.isBelieved }));
      if (event.isGreen && event.order !== undefined) state.greenOrder = Math.max(state.greenOrder ?? 0, event.order);
      delete task.returned;
      delete task.mayStay;
      state.merged.push(task.id, ...(task.holds ?? []));
      return [];
    }
    case 'contradicted':
      state.wasRed = true;
      return [];
    case 'returned':
      return cameBack(state, requireStage(state, event.task, 'working', 'submitted'), event.returned);
    case 'red':
      delete state.over;
      delete state.isChanged;
      state.wasRed = true;
      if (event.isGuess) state.unnamed = (state.unnamed ?? 0) + 1;
      return event.tasks.flatMap((id) => reopened(state, requireStage(state, id, 'merged'), event));
    case 'decided': {
      const task = requireStage(state, event.task, 'asking');
      if (event.choice === 'drop') task.stage = 'dropped';
      else Object.assign(task, { stage: 'open', road: 'author', returns: 0 });
      return [];
    }
    case 'broken':
      freeSlot(state, event.task);
      taskOf(state, event.task).stage = 'open';
      state.isBroken = true;
      return [];
    case 'again':
      begunAnew(state);
      return [];
    default:
      return unreachable(event);
  }
}

/** An outcome that is read later may have landed earlier: a task that waits for the other would begin without it. */
function moveHead(state: TeamState, { result, order }: Extract<TeamEvent, { kind: 'merged' }>): void {
  if (order !== undefined && order <= (state.headOrder ?? 0)) return;
  state.head = result;
  if (order !== undefined) state.headOrder = order;
}

/** The manager's division stays valid, and merged work stays merged. */
function begunAnew(state: TeamState): void {
  delete state.over;
  delete state.isBroken;
  delete state.landing;
  delete state.isTargetRed;
  delete state.unnamed;
  delete state.isChanged;
  state.beginnings = (state.beginnings ?? 0) + 1;
  for (const slot of state.slots) {
    slot.rounds = 0;
    delete slot.task;
  }
  for (const task of state.tasks) {
    if (task.stage !== 'merged' && task.stage !== 'held') Object.assign(task, { stage: 'open', returns: 0, road: 'author' });
  }
}

function requireStage(state: TeamState, id: string, ...stages: TaskState['stage'][]): TaskState {
  const task = taskOf(state, id);
  if (!stages.includes(task.stage)) throw bug(`task ${id} is ${task.stage}, not ${stages.join(' or ')}`);
  return task;
}

function assign(state: TeamState): TeamDecision[] {
  const made: TeamDecision[] = [];
  for (;;) {
    const next = nextAssignment(state);
    if (!next) return made;
    const { task, slot, at } = next;
    slot.task = task.id;
    slot.rounds += 1;
    state.assignments += 1;
    Object.assign(task, { stage: 'working', author: at });
    task.attempt += 1;
    task.number = state.assignments;
    made.push({ kind: 'assign', task: task.id, engineer: engineerName(at), attempt: task.attempt, number: state.assignments });
  }
}

function nextAssignment(state: TeamState): { task: TaskState; slot: SlotState; at: number } | undefined {
  if (state.isBroken || roundsAreUsed(state)) return undefined;
  const busy = state.tasks.filter(({ stage }) => stage === 'working' || stage === 'submitted');
  // One owner has the target for itself: nothing that lands meanwhile conflicts with it.
  if (busy.some(({ road }) => road === 'owner')) return undefined;
  const ready = readyTasks(state);
  const alone = ready.find(({ road }) => road === 'owner');
  for (const task of alone ? [alone] : ready) {
    if (alone && busy.length > 0) return undefined;
    const at = slotFor(state, task);
    const slot = at === undefined ? undefined : state.slots[at];
    if (slot && at !== undefined) return { task, slot, at };
  }
  return undefined;
}

/** The slot for a task: its author's, which may have to end something else first; for a new task the one that has had the least. */
function slotFor(state: TeamState, task: TaskState): number | undefined {
  const { author } = task;
  const own = author === undefined ? undefined : state.slots[author];
  if (own && mayTakeMore(state, own)) return own.task === undefined ? author : undefined;
  const free = state.slots.flatMap((slot, at) =>
    slot.task === undefined && mayTakeMore(state, slot) ? [{ at, rounds: slot.rounds }] : [],
  );
  return free.sort((a, b) => a.rounds - b.rounds || a.at - b.at)[0]?.at;
}

function mayTakeMore({ limits }: TeamState, { rounds }: SlotState): boolean {
  return limits.roundsPerEngineer === undefined || rounds < limits.roundsPerEngineer;
}

function roundsAreUsed({ slots, limits }: TeamState): boolean {
  const { rounds: most } = limits;
  return most !== undefined && slots.some(({ rounds }) => rounds >= most);
}

/** Nothing is in progress, and nothing can begin. */
function concluded(state: TeamState): TeamDecision[] {
  const isOpen = state.tasks.some(({ stage }) => stage === 'working' || stage === 'submitted' || stage === 'asking');
  if (state.over || isOpen) return [];
  const left = state.tasks.filter(({ id }) => !state.merged.includes(id));
  if (left.length === 0) state.over = 'success';
  else {
    // What could begin has no slot that may take it: the limits say so.
    const isLimited = readyTasks(state).length > 0;
    state.over = isLimited || state.merged.length === 0 ? 'failure' : 'incomplete';
  }
  return [{ kind: 'over' }];
}
