import { defined } from '../../plan/defined';
import { isSettled, type StepState } from '../../plan/run/step-state';
import type { KindView } from '../../plan/steps/kind-view';
import { unreachable } from '../../plan/unreachable';

/**
 * `open`: it waits for others, or for a slot. `working`: an engineer has it. `submitted`: its candidate is being verified, or in the queue.
 * `asking`: a person decides. `held`: it is done within another. `dropped`: nobody does it any more.
 */
const TASK_STAGES = ['open', 'working', 'submitted', 'asking', 'merged', 'held', 'dropped'] as const;
export type TaskStage = (typeof TASK_STAGES)[number];

const TEAM_ENDS = ['success', 'failure', 'incomplete'] as const;
export type TeamEnd = (typeof TEAM_ENDS)[number];

/** The tasks of a team as a run shows them, from the moment that the manager's graph is agreed. */
export interface TeamView {
  /** How it has ended. Absent: it has not. */
  over?: TeamEnd;
  /** The commit that the run knows the branch to be at. */
  head: string;
  /** In the order of the graph. */
  tasks: TaskView[];
  /** Their slots: how many assignments each has had, and its task now. */
  engineers: { id: string; rounds: number; task?: string }[];
}

export interface TaskView {
  id: string;
  stage: TaskStage;
  /** When it reached its stage, ISO 8601. Absent: it is where it began. */
  since?: string;
  /** How often it was assigned; 0 before the first time. */
  attempt: number;
  /** The author of its candidate. */
  engineer?: string;
  /** Tasks that have to be merged before it begins; */
  dependsOn: string[];
  /** and those of them that are not. */
  waitsFor: string[];
  /** The merged commit. */
  result?: string;
  /** Why its last candidate came back: `conflict`, `red`, … */
  returned?: string;
  /** The task that it is done within. */
  within?: string;
}

export const TEAM_VIEW: KindView<'team', TeamView> = {
  key: 'team',
  facts: (team) => [progressWords(team)],
  items: (team, state) =>
    shownTasks({ state, team }).map(({ id, words, state: how, engineer, since, attempt }) => ({
      ...{ id, words, state: how, isNews: attempt > 0 },
      ...defined({ by: engineer, since }),
    })),
};

/** How a task is drawn wherever steps are, and what it is at, in a few words. */
export interface ShownTask {
  state: StepState;
  words: string;
}

const STATE_OF_STAGE: Readonly<Record<TaskStage, StepState>> = {
  open: 'pending',
  working: 'running',
  submitted: 'running',
  asking: 'waiting',
  merged: 'done',
  held: 'skipped',
  dropped: 'skipped',
};

/** The tasks of a step with a team. Nothing is in progress if the step is not. */
export function shownTasks({ state, team }: { state: StepState; team: TeamView }): (TaskView & ShownTask)[] {
  const isOver = team.over !== undefined || isSettled(state);
  return team.tasks.map((task) => ({ ...task, ...(isOver && isOpen(task) ? leftOpen(task) : shownTask(task)) }));
}

function isOpen({ stage }: TaskView): boolean {
  return stage !== 'merged' && stage !== 'held' && stage !== 'dropped';
}

function leftOpen({ attempt, returned }: TaskView): ShownTask {
  return { state: 'skipped', words: attempt === 0 ? 'not begun' : joined('not merged', `attempt ${attempt}`, cameBack(returned)) };
}

function shownTask(task: TaskView): ShownTask {
  return { state: STATE_OF_STAGE[task.stage], words: wordsOf(task) };
}

const SHORT_COMMIT = 12;

function wordsOf({ stage, attempt, returned, result = '', within = '', waitsFor }: TaskView): string {
  const again = attempt > 1 ? `attempt ${attempt}` : '';
  switch (stage) {
    case 'open':
      return joined(waitsFor.length > 0 ? `waits for ${waitsFor.join(', ')}` : 'waits for an engineer', cameBack(returned));
    case 'working':
      return joined('at work', again, cameBack(returned));
    case 'submitted':
      return joined('offered for merging', again);
    case 'asking':
      return joined('a person decides', cameBack(returned));
    case 'merged':
      return joined(`merged ${result.slice(0, SHORT_COMMIT)}`, attempt > 1 ? `${attempt} attempts` : '');
    case 'held':
      return `done within ${within}`;
    case 'dropped':
      return joined('left out', cameBack(returned));
    default:
      return unreachable(stage);
  }
}

function cameBack(returned: string | undefined): string {
  return returned === undefined ? '' : `came back: ${returned}`;
}

function joined(...parts: string[]): string {
  return parts.filter((part) => part !== '').join(', ');
}

/** `2 of 3 tasks merged`. */
function progressWords({ tasks }: TeamView): string {
  const merged = tasks.filter(({ stage }) => stage === 'merged');
  const within = tasks.filter((task) => task.stage === 'held' && merged.some(({ id }) => id === task.within));
  return `${merged.length + within.length} of ${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'} merged`;
}
