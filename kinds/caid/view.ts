/**
 * `open`: it waits for others, or for a slot. `working`: an engineer has it. `submitted`: its candidate is being verified, or in the queue. `asking`: a
 * person decides. `held`: it is done within another. `dropped`: nobody does it any more.
 */
export const TASK_STAGES = ['open', 'working', 'submitted', 'asking', 'merged', 'held', 'dropped'] as const;
export type TaskStage = (typeof TASK_STAGES)[number];

export const TEAM_ENDS = ['success', 'failure', 'incomplete'] as const;
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
  /** When it came to its stage, ISO 8601. Absent: it is where it began. */
  since?: string;
  /** How often it was assigned; 0 before the first time. */
  attempt: number;
  /** Whose candidate it is. */
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
