import type { Json, JsonObject } from '../../../plan/text/json';
import { field } from '../../../plan/text/json';
import type { CoordinatorEnd, SubTaskState } from './words';

/** The output of the step. Its keys are what expressions read. */
export const REPORT_FIELDS = ['project', 'brief_id', 'outcome', 'rationale', 'sub_tasks', 'calls', 'questions'] as const;
export const SUB_TASK_FIELDS = ['id', 'title', 'role', 'state', 'let_pass', 'attempts', 'execution', 'review', 'critic'] as const;

export interface ReportGiven {
  project: string;
  briefId?: string;
  outcome: CoordinatorEnd;
  subtasks: readonly Pick<SubTaskState, 'id' | 'title' | 'role' | 'stage' | 'attempts' | 'isLetPass'>[];
  /** Requests to agents, and answers of people. */
  calls: number;
  questions: number;
}

/** Phase 4: the engine makes the report. Documents: `plan`, and by the number of the sub-task `execution-N`, `reviewer-N`, `critic-N`. */
export function report(
  { project, briefId, outcome, subtasks, calls, questions }: ReportGiven,
  documents: Readonly<Record<string, Json>>,
): { result: Record<(typeof REPORT_FIELDS)[number], Json>; values: { done: number } } {
  const rows = subtasks.map(({ id, title, role, stage, attempts, isLetPass = false }, at): JsonObject => {
    const handed = (name: string): Json => documents[`${name}-${at + 1}`] ?? null;
    return {
      ...{ id, title, role: role ?? null, state: stage, let_pass: isLetPass, attempts },
      ...{ execution: handed('execution'), review: handed('reviewer'), critic: handed('critic') },
    };
  });
  const result = {
    ...{ project, brief_id: briefId ?? null, outcome, rationale: field(documents['plan'], 'rationale') ?? null },
    ...{ sub_tasks: rows, calls, questions },
  };
  return { result, values: { done: subtasks.filter(({ stage }) => stage === 'passed').length } };
}
