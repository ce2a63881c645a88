import { defined } from '../../../plan/defined';
import { field, isJsonObject, type Json, type JsonObject } from '../../../plan/text/json';
import type { IncrementRepair } from './delivery';

/** The input of an increment's executor, which its gates know as `increment` (docs/patterns.md, CP-6). */
export interface AssignGiven extends Pick<IncrementAssignment, 'id' | 'number' | 'of' | 'attempt' | 'base_commit' | 'delivered'> {
  /** Ids: those that nothing blocks. */
  tasks: string[];
  fix?: IncrementRepair;
  asked_for?: string;
}

export type IncrementAssignment = {
  id: string;
  /** Counts from 1, out of `of`. */
  number: number;
  of: number;
  attempt: number;
  /** The tasks as planned. */
  tasks: JsonObject[];
  /** The commit that the worktree is at. */
  base_commit: string;
  /** Ids of the increments that are in it. */
  delivered: string[];
  /** Why the attempt before did not pass. */
  fix?: IncrementRepair;
  /** The findings of its validator, or of the person or review that sent the step back. */
  review?: Json;
  /** The wish of a person who sent the plan back. */
  asked_for?: string;
};

/** Names of the documents that make it. */
export const INCREMENTS_DOCUMENT = 'increments';
export const REVIEW_DOCUMENT = 'review';

/** Under the name of this document the parts get it. */
export const INCREMENT_DOCUMENT = 'increment';

export function assignIncrement(given: AssignGiven, documents: Readonly<Record<string, Json>>): IncrementAssignment {
  const { id, number, of, attempt, tasks, base_commit, delivered, fix, asked_for } = given;
  const increments = field(documents[INCREMENTS_DOCUMENT], 'increments');
  const planned = (Array.isArray(increments) ? increments : []).flatMap((one) => field(one, 'tasks') ?? []);
  const known = planned.filter(isJsonObject);
  const review = documents[REVIEW_DOCUMENT];
  return {
    ...{ id, number, of, attempt, base_commit, delivered },
    tasks: known.filter((task) => tasks.includes(String(field(task, 'id')))),
    ...defined({ fix, review, asked_for }),
  };
}
