import type { TaskFacts } from '../../kinds/coordinate/rules/select';
import { type PlayedFile, playFile } from './file-play';

/** A task file of a step `work`, with these facts. */
export function taskFile(facts: Partial<TaskFacts>, more = ''): string {
  const { taskType = 'fix', complexity = 'low', risk = 'low', teamSize = 4, hasExpert = false } = facts;
  return `name: task
owner: lead
agents: {lead: {role: Leads.}, p: {role: Plans.}, e: {role: Does.}, t: {role: Tests.}, x: {role: Knows.}}
task: Store passwords safely.
select: {task_type: ${taskType}, complexity: ${complexity}, risk: ${risk}, team_size: ${teamSize}, has_expert: ${hasExpert}}
roles: {coordinator: lead, planner: p, executor: e, tester: t, expert: x}
test: npm test
${more}`;
}

export interface Played {
  replies: Record<string, unknown>;
  commands: Record<string, unknown>;
  people?: readonly unknown[];
  /** Further keys of the file. */
  more?: string;
  /** A line that is left out of the file. */
  without?: 'test';
}

export function playTask(facts: Partial<TaskFacts>, { replies, commands, people, more, without }: Played): Promise<PlayedFile> {
  const text = taskFile(facts, more);
  return playFile(without ? text.replace(`\n${without}: npm test`, '') : text, replies, commands, people);
}

export const PASSES = { json: { verdict: 'pass', score: 90, issues: [] } };
export const REVISE = { json: { verdict: 'revise', score: 10, issues: [{ severity: 'high', description: 'no' }] } };
export const WORK = { work_plan: [{ text: 'plan' }], work_plan_ok: [PASSES], work_impl: [{ text: 'done' }], work_review: [PASSES] };
export const TASK = { work_task: { stdout: 'Store passwords safely.' } };
export const GREEN = { ...TASK, work_test: { stdout: 'ok' } };
