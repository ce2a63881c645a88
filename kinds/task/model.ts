import type { Template } from '../../plan/expressions/expression';
import type { StepBase } from '../../plan/steps/step-base';

/** Gives a task to a team that runs by itself, and waits for what comes of it. */
export interface TaskStep extends StepBase {
  kind: 'task';
  /** Its run has the id `team-NAME`. */
  team: string;
  task: TaskTemplate;
  /** It ends as soon as the team has taken the task. */
  endsTaken?: true;
}

/** A task as a step writes it: `description`, `priority` and `worktree` are the task's, and not the step's. */
export interface TaskTemplate {
  subject: Template;
  description?: Template;
  name?: Template;
  /** Names or numbers of tasks on the team's board. */
  blockedBy?: Template[];
  requiredRole?: string;
  priority?: number;
  worktree?: boolean;
}
