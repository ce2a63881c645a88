import { defined } from '../../plan/defined';
import { bug } from '../../plan/run/failure';
import type { Keeps } from '../../plan/steps/keeps';
import type { Returned } from './rules/assignment';
import type { TaskStage, TaskView, TeamEnd, TeamView } from './view';

/**
 * Who works on what, as plain JSON: it is kept with the step, over executions. Texts of tasks are in the store. Invariants: 1. a slot has
 * one task at a time; 2. a task at work has a slot, and no other has one; 3. a task is merged once, and stays so unless it makes the tests
 * of the whole red.
 */
export interface TeamState {
  /** In the order of the graph. */
  tasks: TaskState[];
  /** `e1` is the first. */
  slots: SlotState[];
  limits: TeamLimits;
  /** Assignments that were made, in all slots: the number of the next part. */
  assignments: number;
  /** How often the step has begun again: the last tests and the review have a turn of their own each time. */
  beginnings?: number;
  /** In the order in which they landed. */
  merged: string[];
  /** How often something came back, by why. */
  returned: Partial<Record<Returned['reason'], number>>;
  /** The target's commit as the run knows it, and when that landed: outcomes may come in another order. */
  head: string;
  headOrder?: number;
  /** The order of the landing by which the target was green by the final test; later landings are not known to be. */
  greenOrder?: number;
  /**
   * Everything was merged and red, or an engineer's report was false. From then on none is believed, and the final test tests everything
   * that lands.
   */
  wasRed?: true;
  /** How often its output named nobody, since the step began. */
  unnamed?: number;
  /** Since it was red last, somebody has changed something. */
  isChanged?: true;
  /** The task whose candidate is in the queue, if they go one by one. */
  landing?: string;
  /** The target is red by itself: a person is asked, for as long as nothing lands. */
  isTargetRed?: true;
  /** How often a person was asked that. */
  targetAsks?: number;
  /** Nothing begins any more: the failure is no engineer's. */
  isBroken?: true;
  over?: TeamEnd;
}

export interface TaskState {
  id: string;
  /** Ids of tasks that must be merged before. */
  waitsFor: string[];
  files: string[];
  enablesTests?: true;
  complexity: number;
  stage: TaskStage;
  /** When it came there, ISO 8601. Absent: it has not moved yet. */
  since?: string;
  /** How often it was assigned. */
  attempt: number;
  /** How often its candidate came back since its road last changed. */
  returns: number;
  road: TaskRoad;
  /** The number of its assignment. */
  number?: number;
  /** The commit of its last attempt, and the part whose worktree has it. */
  commit?: string;
  slot?: string;
  /** Its engineer's summary, in a few words. */
  summary?: string;
  /** The merged commit, and when it landed. */
  result?: string;
  order?: number;
  /** It landed on its engineer's report of its tests, which nothing has confirmed yet. */
  isBelieved?: true;
  /** It has landed, and went back because nobody knows which task is to blame: it may come back unchanged. */
  mayStay?: true;
  /** What people and reviewers should know of it. */
  remarks?: string[];
  /** Its own acceptance command. */
  command?: string;
  /** The author of its candidate, who resolves its problems. */
  author?: number;
  /** Why it came back last. */
  returned?: Returned;
  /** Tasks that are done within this one. */
  holds?: string[];
}

/** Who mends work that came back: its author; one owner, who alone has all files that it touches, and the target; or a person. */
const TASK_ROADS = ['author', 'owner', 'person'] as const;
export type TaskRoad = (typeof TASK_ROADS)[number];

export interface SlotState {
  task?: string;
  /** Assignments that it has had. */
  rounds: number;
}

export interface TeamLimits {
  /** After that many assignments of a slot, none is made any more. Absent in runs of version 5 and later. */
  rounds?: number;
  /** A slot that has had that many gets none any more; the others continue. */
  roundsPerEngineer?: number;
  /** How often a task may come back on each road. */
  returns: number;
}

export function taskOf(state: TeamState, id: string): TaskState {
  const task = state.tasks.find((one) => one.id === id);
  if (!task) throw bug(`there is no task ${id}`);
  return task;
}

/** The task in which a unit of the graph is done: its own, or one that holds it. */
export function taskWith(state: TeamState, unit: string): TaskState {
  return state.tasks.find(({ holds }) => holds?.includes(unit)) ?? taskOf(state, unit);
}

export function engineerName(slot: number): string {
  return `e${slot + 1}`;
}

export interface TeamKept {
  team?: TeamState;
}

export const TEAM_KEEPS: Keeps<TeamKept, TeamView> = {
  shown: ({ team }) => team && teamView(team),
  // A team's next attempt begins with what the one before has left.
  commits: ({ team }) =>
    (team?.tasks ?? []).flatMap(({ slot, commit }) => (slot !== undefined && commit !== undefined ? [{ slot, commit }] : [])),
};

/** What a run shows of a team. */
function teamView(state: TeamState): TeamView {
  const { head, over, tasks, slots, merged } = state;
  const done = new Set(merged);
  return {
    ...defined({ over }),
    head,
    tasks: tasks.map((task) => taskView(task, tasks, done)),
    engineers: slots.map(({ rounds, task }, at) => ({ id: engineerName(at), rounds, ...defined({ task }) })),
  };
}

function taskView(task: TaskState, tasks: readonly TaskState[], done: ReadonlySet<string>): TaskView {
  const { id, stage, since, attempt, author, waitsFor, result, returned } = task;
  const engineer = author === undefined ? undefined : engineerName(author);
  const within = stage === 'held' ? tasks.find(({ holds }) => holds?.includes(id))?.id : undefined;
  return {
    ...{ id, stage, attempt, dependsOn: [...waitsFor], waitsFor: waitsFor.filter((one) => !done.has(one)) },
    ...defined({ since, engineer, result, returned: returned?.reason, within }),
  };
}
