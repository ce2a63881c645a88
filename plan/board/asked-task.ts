import type { AskedBy } from '../queue/ticket';
import { ThermidorFailure } from '../run/failure';
import type { StepInput } from '../steps/step-activity';
import type { JsonObject } from '../text/json';
import type { BoardResult } from './request';
import type { NewTask, TaskNumber } from './task';
import { teamRunId } from './team-run';

/**
 * A task that a run gives to a team with a run of its own. The task is a record in the ledger of the run that asks, and so is its outcome.
 * A signal between the two only makes the other one look there.
 */

/** Makes a team look into the ledger of a run: its payload is an `AskedBy`. */
export const TASK_SIGNAL = 'thermidor:task';

/** Why nobody takes a task. */
export function noTeam(team: string): ThermidorFailure {
  const message = `the team "${team}" does not run: start it with \`thermidor team start ${team}\`, as the run ${teamRunId(team)}`;
  return new ThermidorFailure('task.no-team', message, { team });
}

/** The record of the asker. */
export interface AskedTask {
  team: string;
  task: NewTask;
}

/** What comes of a task. */
export type TaskOutcome =
  | { kind: 'completed'; id: TaskNumber; attempts: number; owner?: string; result?: BoardResult }
  /** A person has left it out. */
  | { kind: 'dropped'; id: TaskNumber; reason?: string }
  /** The team has ended without it. */
  | { kind: 'left'; id: TaskNumber }
  /** The board does not take it. */
  | { kind: 'refused'; message: string };

/** Inputs and results of the activities on the side of the run that asks. `name` is that of the record. */

export interface AskTaskInput extends StepInput {
  name: string;
}

export interface TaskAnswerInput {
  run: string;
  name: string;
  /** Asks the team again if there is no outcome yet: what was sent may have found nobody. */
  ask?: true;
}

/** Empty: the team has not taken the task yet. */
export interface TaskAnswer {
  /** The number that the board has given to it. */
  id?: TaskNumber;
  end?: TaskEnd;
  /** The team was asked, and does not run. */
  isAlone?: true;
}

/** `output`: what the step puts out; if the result is long, its beginning and, under `WHOLE_RESULT`, where the whole is in the store. */
export type TaskEnd = { kind: 'completed'; output: JsonObject } | Exclude<TaskOutcome, { kind: 'completed' }>;

export interface WithdrawTaskInput {
  run: string;
  name: string;
}

/** And on the side of the team. */

export interface ReadAskedTasksInput {
  run: string;
  asked: AskedBy[];
}

/** What the ledgers have, in the same order. `known`: it has its outcome, or is for another team. */
export type ReadAskedTask = { kind: 'task'; task: NewTask } | { kind: 'withdrawn' } | { kind: 'known' };

export interface SettleAskedTasksInput {
  run: string;
  /** Tasks that are on the board. */
  taken: { asked: AskedBy; id: TaskNumber }[];
  outcomes: { asked: AskedBy; outcome: TaskOutcome }[];
}
