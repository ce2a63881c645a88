import { type BoardState, MOST_OPEN_TASKS, type TaskState } from '../../../plan/board/board-state';
import { BOARD } from '../../../plan/board/message';
import type { BoardAnswer } from '../../../plan/board/request';
import {
  DESCRIPTION_BYTES,
  type NewTask,
  numberIn,
  SUBJECT_CHARACTERS,
  TASK_NAME,
  type TaskNumber,
  type TaskRef,
  WORKTREE_LABEL,
} from '../../../plan/board/task';
import { defined } from '../../../plan/defined';
import type { Json } from '../../../plan/text/json';
import { didYouMean } from '../../../plan/text/nearest-word';
import { shortened } from '../../../plan/text/shortened';
import { type Handling, note } from './handling';
import { fits } from './members';
import { refuse } from './refusals';
import { findTask, isForgone } from './tasks';

/**
 * Tasks for the board, all of them or none: numbers are the board's, names lead to one task, what a task waits for is there, and nothing
 * waits for itself. Returns the new tasks, or why there are none.
 */
export function addTasks(h: Handling, list: readonly NewTask[], by: string): TaskState[] | BoardAnswer {
  const { state, atMs } = h;
  const first = state.next;
  const placeOf = placesIn(state, list);
  const wrong = whyNotAdded(state, list, placeOf, by);
  if (wrong) return wrong;
  const tasks = list.map((task, at): TaskState => {
    const { name, subject, description, requiredRole, priority, blockedBy = [] } = task;
    const worktree = labelOf(task, first + at, state);
    const found = blockedBy.map(placeOf).filter((number) => number !== undefined);
    return {
      ...{ number: first + at, subject: subject.trim(), status: 'pending', attempt: 0, by, createdAtMs: atMs },
      blockedBy: [...new Set(found)].filter((number) => number >= first || isUnfinished(state, number)),
      ...defined({ name, description, requiredRole, priority, worktree }),
    };
  });
  state.next += tasks.length;
  state.tasks.push(...tasks);
  if (tasks.length > 0) delete state.wereAsked;
  for (const { number, subject } of tasks) note(h, { event: 'created', task: number, subject, by });
  return tasks;
}

/** What its worktree is called; undefined if it has none. */
function labelOf({ name = '', worktree }: NewTask, number: TaskNumber, { limits }: BoardState): string | undefined {
  if (typeof worktree === 'string') return worktree;
  if (!(worktree ?? limits.worktrees === 'all')) return undefined;
  return WORKTREE_LABEL.test(name) ? name : `task-${number}`;
}

function isUnfinished(state: BoardState, number: TaskNumber): boolean {
  const task = findTask(state, number);
  return task !== undefined && task !== 'done' && task.status !== 'completed';
}

type PlaceOf = (ref: TaskRef) => TaskNumber | undefined;

/** The number that a task has, or will have. */
function placesIn(state: BoardState, list: readonly NewTask[]): PlaceOf {
  const coming = new Map(list.flatMap(({ name }, at) => (name === undefined ? [] : [[name, state.next + at] as const])));
  return (ref) => {
    const later = typeof ref === 'string' ? coming.get(ref) : undefined;
    if (later !== undefined) return later;
    const number = numberIn(ref);
    if (number !== undefined && number >= state.next && number < state.next + list.length) return number;
    const found = findTask(state, ref);
    return found === 'done' ? (number ?? state.names.find(([name]) => name === ref)?.[1]) : found?.number;
  };
}

function whyNotAdded(state: BoardState, list: readonly NewTask[], placeOf: PlaceOf, by: string): BoardAnswer | undefined {
  const open = state.tasks.filter((task) => task.status !== 'completed' && !isForgone(task)).length;
  if (open + list.length > MOST_OPEN_TASKS) return refuse('board_full', `a board has at most ${MOST_OPEN_TASKS} open tasks`);
  const names = new Set<string>();
  const labels = new Set(state.tasks.flatMap(({ worktree, status }) => (status === 'completed' ? [] : (worktree ?? []))));
  for (const task of list) {
    const wrong =
      whyUnfit(task) ??
      whyNoName(state, names, task) ??
      whyNoRole(state, task) ??
      whyNoBlocker(state, list, placeOf, task) ??
      whyNoWorktree(state, labels, task, by);
    if (wrong) return wrong;
    if (task.name !== undefined) names.add(task.name);
    if (typeof task.worktree === 'string') labels.add(task.worktree);
  }
  return whyCircle(state, list, placeOf);
}

function about({ name, subject }: NewTask): Record<string, Json> {
  return { task: shortened(String(name ?? subject), SUBJECT_CHARACTERS) };
}

function whyUnfit(task: NewTask): BoardAnswer | undefined {
  const { name, subject, description, priority } = task;
  if (typeof subject !== 'string' || subject.trim() === '') return refuse('unfit', 'a task has a subject');
  if (subject.length > SUBJECT_CHARACTERS)
    return refuse('too_large', `a subject has at most ${SUBJECT_CHARACTERS} characters; put the rest into the description`, about(task));
  if (description && description.sizeBytes > DESCRIPTION_BYTES)
    return refuse('too_large', `a description has at most ${DESCRIPTION_BYTES / 1024} KiB`, about(task));
  if (name !== undefined && !TASK_NAME.test(name)) return refuse('unfit', 'a name has 1 to 80 characters, and is no number', about(task));
  if (priority !== undefined && !Number.isFinite(priority)) return refuse('unfit', 'a priority is a number', about(task));
  return undefined;
}

function whyNoName(state: BoardState, names: ReadonlySet<string>, task: NewTask): BoardAnswer | undefined {
  const { name } = task;
  if (name === undefined) return undefined;
  if (!names.has(name) && findTask(state, name) === undefined) return undefined;
  return refuse('name_taken', 'a name leads to one task; choose another', about(task));
}

/** Who asks at run time may ask for a worktree, and not for work outside of one. */
function whyNoWorktree({ limits }: BoardState, labels: ReadonlySet<string>, task: NewTask, by: string): BoardAnswer | undefined {
  const { worktree } = task;
  if (worktree && !limits.worktrees)
    return refuse('unfit', 'this board makes no worktrees: its step needs the key `worktree`', { ...about(task), worktree });
  if (worktree === false && limits.worktrees === 'all' && by !== BOARD)
    return refuse('unfit', 'here each task has a worktree, and only the file leaves one out', { ...about(task), worktree });
  if (typeof worktree !== 'string') return undefined;
  if (!WORKTREE_LABEL.test(worktree))
    return refuse('unfit', 'a worktree is called by 1 to 40 letters, digits, ".", "_" or "-"', about(task));
  return labels.has(worktree) ? refuse('name_taken', 'another task has a worktree of this name', { ...about(task), worktree }) : undefined;
}

function whyNoRole({ members, limits }: BoardState, task: NewTask): BoardAnswer | undefined {
  const workers = members.filter(({ isLead }) => !isLead);
  if (task.requiredRole === undefined || limits.takesAnyRole || workers.some((member) => fits(member, task))) return undefined;
  const roles = [...new Set(workers.flatMap(({ role }) => role ?? []))];
  const there = roles.length === 0 ? 'no member has a role' : `the roles of this team are ${roles.join(', ')}`;
  return refuse('unknown_role', didYouMean(task.requiredRole, roles, there) ?? there, { ...about(task), role: task.requiredRole });
}

function whyNoBlocker(state: BoardState, list: readonly NewTask[], placeOf: PlaceOf, task: NewTask): BoardAnswer | undefined {
  const unknown = task.blockedBy?.find((ref) => placeOf(ref) === undefined);
  if (unknown === undefined) return undefined;
  const names = [...state.tasks, ...list].flatMap(({ name }) => name ?? []);
  const hint = didYouMean(String(unknown), names, 'a task waits for tasks that are on the board') ?? '';
  return refuse('unknown_blocker', hint, { ...about(task), blocked_by: shortened(String(unknown), SUBJECT_CHARACTERS) });
}

/** Tasks that are there wait for none of the new ones: a circle has new ones alone. */
function whyCircle(state: BoardState, list: readonly NewTask[], placeOf: PlaceOf): BoardAnswer | undefined {
  const first = state.next;
  const after = list.map(({ blockedBy = [] }) =>
    blockedBy.flatMap((ref) => {
      const number = placeOf(ref) ?? 0;
      return number >= first ? [number - first] : [];
    }),
  );
  const chain = circleIn(after);
  if (!chain) return undefined;
  const words = chain.map((at) => list[at]?.name ?? `#${first + at}`);
  const hint = words.length === 2 ? 'a task cannot wait for itself' : 'these tasks wait for each other';
  return refuse('cycle', hint, { chain: words });
}

/** The first circle, from one task back to it. Without recursion: a chain may have thousands of tasks. */
export function circleIn(after: readonly (readonly number[])[]): number[] | undefined {
  const isDone = new Set<number>();
  for (const start of after.keys()) {
    const path: { at: number; tried: number }[] = [{ at: start, tried: 0 }];
    const isOnPath = new Set([start]);
    while (!isDone.has(start)) {
      const top = path.at(-1);
      if (!top) break;
      const next = after[top.at]?.[top.tried];
      top.tried += 1;
      if (next === undefined) {
        isDone.add(top.at);
        isOnPath.delete(top.at);
        path.pop();
      } else if (isOnPath.has(next)) {
        const from = path.findIndex(({ at }) => at === next);
        return [...path.slice(from).map(({ at }) => at), next];
      } else if (!isDone.has(next)) {
        path.push({ at: next, tried: 0 });
        isOnPath.add(next);
      }
    }
  }
  return undefined;
}
