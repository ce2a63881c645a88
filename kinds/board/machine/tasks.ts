import { type BoardState, DONE_KEPT, NAMES_KEPT, occupantOf, type TaskState } from '../../../plan/board/board-state';
import { SHORT_CHARACTERS } from '../../../plan/board/message';
import type { BoardAnswer, BoardResult } from '../../../plan/board/request';
import { numberIn, type ReturnedTask, type TaskNumber, type TaskRef } from '../../../plan/board/task';
import { defined, unlessEmpty } from '../../../plan/defined';
import type { AskedBy } from '../../../plan/queue/ticket';
import type { ArtifactRef } from '../../../plan/run/artifact';
import { bug } from '../../../plan/run/failure';
import type { Json } from '../../../plan/text/json';
import { didYouMean } from '../../../plan/text/nearest-word';
import { shortened } from '../../../plan/text/shortened';
import { askedTask, reportEnd } from './askers';
import { type Handling, note } from './handling';
import { refSaid, refuse } from './refusals';
import { whySpent } from './task-budget';

/** Tasks: how others call them, which may be claimed, and how they end. */

export function taskOf({ tasks }: BoardState, number: TaskNumber): TaskState {
  const task = tasks.find((one) => one.number === number);
  if (!task) throw bug(`there is no task #${number}`);
  return task;
}

/** `#3`, `3` and a name are the same task. `done`: it has ended, and is no longer in the state. */
export function findTask({ tasks, next, names }: BoardState, ref: TaskRef): TaskState | 'done' | undefined {
  const named = typeof ref === 'string' ? tasks.find(({ name }) => name === ref) : undefined;
  if (named) return named;
  const number = numberIn(ref) ?? names.find(([name]) => name === ref)?.[1];
  if (number === undefined || number < 1 || number >= next) return undefined;
  return tasks.find((one) => one.number === number) ?? 'done';
}

/** The task that was sent with this key. */
export function numberOfKey({ keys = [] }: BoardState, key: string | undefined): TaskNumber | undefined {
  return keys.find(([known]) => known === key)?.[1];
}

export function unknownTask({ tasks }: BoardState, ref: TaskRef): BoardAnswer {
  const names = tasks.flatMap(({ name }) => name ?? []);
  return refuse('unknown_task', didYouMean(String(ref), names, 'list_tasks shows the tasks that there are') ?? '', { task: said(ref) });
}

function said(ref: unknown): string {
  return shortened(String(ref), SHORT_CHARACTERS);
}

/** Whatever the member: pending, with nothing unfinished before it, and nobody in its worktree. The first to be done is the first. */
export function claimable({ tasks, members }: BoardState): TaskState[] {
  return tasks
    .filter((task) => task.status === 'pending' && task.blockedBy.length === 0 && !occupantOf(members, task))
    .sort((a, b) => (a.priority ?? 0) - (b.priority ?? 0) || a.number - b.number);
}

export interface Blocker {
  number: TaskNumber;
  status: TaskState['status'];
  /** It was dropped, or waits for one that was: what waits for it never becomes claimable. */
  isHopeless?: true;
}

export function whyBlocked(state: BoardState, { blockedBy }: Pick<TaskState, 'blockedBy'>): Blocker[] {
  const hopeless = hopelessTasks(state);
  return blockedBy.map((number) => ({
    ...{ number, status: taskOf(state, number).status },
    ...defined({ isHopeless: hopeless.has(number) || undefined }),
  }));
}

/** Dropped tasks, and all that wait for them. */
export function hopelessTasks({ tasks }: BoardState): ReadonlySet<TaskNumber> {
  const hopeless = new Set(tasks.flatMap(({ number, status }) => (status === 'dropped' ? [number] : [])));
  if (hopeless.size === 0) return hopeless;
  for (let size = 0; size < hopeless.size; ) {
    size = hopeless.size;
    for (const { number, blockedBy } of tasks) if (blockedBy.some((one) => hopeless.has(one))) hopeless.add(number);
  }
  return hopeless;
}

export function openTasksOf({ tasks }: BoardState, owner: string): TaskState[] {
  return tasks.filter((task) => task.status === 'in_progress' && task.owner === owner);
}

export function complete(h: Handling, task: TaskState, result: BoardResult | undefined): void {
  const { state, atMs } = h;
  const kept = result && { ...result, text: shortened(result.text, SHORT_CHARACTERS) };
  Object.assign(task, { status: 'completed', endedAtMs: atMs }, defined({ result: kept }));
  for (const other of state.tasks) {
    if (other.blockedBy.includes(task.number)) other.blockedBy = other.blockedBy.filter((number) => number !== task.number);
  }
  note(h, { event: 'completed', task: task.number, ...defined({ by: task.owner }) });
  reportEnd(h, task);
  forgetOldest(h);
}

/** Nobody needs it any more: it was left out because the run that had asked for it waits no longer. */
export function isForgone({ status, isWithdrawn }: TaskState): boolean {
  return status === 'dropped' && isWithdrawn === true;
}

/** A withdrawn task that another one waits for stays, and says why that one does not begin. */
function forgetOldest({ state, decisions }: Handling): void {
  const awaited = new Set(state.tasks.flatMap(({ blockedBy }) => blockedBy));
  const over = state.tasks.filter((task) => task.status === 'completed' || (isForgone(task) && !awaited.has(task.number)));
  if (over.length <= DONE_KEPT) return;
  over.sort((a, b) => (a.endedAtMs ?? 0) - (b.endedAtMs ?? 0) || a.number - b.number);
  for (const oldest of over.slice(0, -DONE_KEPT)) {
    state.tasks = state.tasks.filter((task) => task !== oldest);
    if (oldest.status === 'dropped') state.forgone = (state.forgone ?? 0) + 1;
    decisions.push({ kind: 'leaves', task: oldest });
    if (oldest.name !== undefined) state.names = [...state.names, [oldest.name, oldest.number] as [string, TaskNumber]].slice(-NAMES_KEPT);
  }
}

/** The attempt is used. A task that has used all of them, or its budget, waits for a person. */
export function giveBack(h: Handling, task: TaskState, by: string, given: string, whole?: ArtifactRef): void {
  const spent = whySpent(h.state, task);
  goBack(h, task, by, spent === undefined ? given : `${spent}; ${given}`, whole);
  if (task.isWithdrawn || spent !== undefined || task.attempt >= h.state.limits.attempts) hold(h, task);
}

export function goBack(h: Handling, task: TaskState, by: string, given: string, whole?: ArtifactRef): void {
  release(task);
  const reason = shortened(given, SHORT_CHARACTERS);
  task.returned = { by, reason, ...defined({ whole }) };
  note(h, { event: 'returned', task: task.number, by, reason });
}

/** A person decides whether it is tried again, unless nobody waits for it any more. */
export function hold(h: Handling, task: TaskState): void {
  if (task.isWithdrawn) {
    drop(h, task);
    return;
  }
  task.status = 'held';
  note(h, { event: 'held', task: task.number });
  h.decisions.push({ kind: 'ask-person', task: task.number });
}

/** An attempt that ends with its run is nobody's failure: it is not counted. */
export function interrupt(task: TaskState): void {
  release(task);
  task.attempt = Math.max(0, task.attempt - 1);
}

export function release(task: TaskState): void {
  task.status = 'pending';
  for (const key of ['owner', 'claimedAtMs', 'claimSource', 'endedAtMs', 'isUnbegun', 'isReady'] as const) delete task[key];
}

export function drop(h: Handling, task: TaskState): void {
  Object.assign(task, { status: 'dropped', endedAtMs: h.atMs });
  note(h, { event: 'dropped', task: task.number });
  reportEnd(h, task);
  forgetOldest(h);
}

/** The run that has asked waits no longer: what nobody has begun is left out. Who works on it goes on, and nobody tries it again. */
export function withdraw(h: Handling, asked: AskedBy): void {
  const task = askedTask(h.state, asked);
  if (!task) return;
  delete task.asked;
  task.isWithdrawn = true;
  if (task.status === 'pending' || task.status === 'held') drop(h, task);
}

/** A task as answers show it. */
export function taskSaid(task: TaskState): { [key: string]: Json } {
  const { number, subject, status, name, owner, blockedBy, requiredRole, priority, attempt, returned, description, worktree } = task;
  return {
    ...{ id: number, subject, status },
    ...defined({
      name,
      owner,
      required_role: requiredRole,
      priority,
      blocked_by: unlessEmpty([...blockedBy]),
      description: description && refSaid(description),
      worktree,
    }),
    ...defined({ attempt: attempt || undefined, returned: returned && returnedSaid(returned) }),
  };
}

function returnedSaid({ by, reason, whole }: ReturnedTask): Json {
  return { by, reason, ...defined({ whole: whole && refSaid(whole) }) };
}
