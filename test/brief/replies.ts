import type { Json } from '../../plan/text/json';

/** Replies of roles, as text. */

export function block(value: Json, { tag = 'json', before = 'Done.', after = '' } = {}): string {
  return `${before}\n\n\`\`\`${tag}\n${JSON.stringify(value, null, 2)}\n\`\`\`${after}`;
}

export function subTask(id: string, more: Record<string, Json> = {}) {
  return { id, title: `Do ${id}`, instruction: `Write ${id}.md`, acceptance_criteria: [`${id}.md exists`], ...more };
}

export function plan(...subtasks: Json[]) {
  return { kind: 'plan', subtasks, rationale: 'one after the other' };
}

export function execution(id: string, more: Record<string, Json> = {}) {
  return { kind: 'execution', subtask_id: id, output: `wrote ${id}.md`, tool_calls: [], notes: 'no surprises', ...more };
}

export function review(id: string, verdict: Json, more: Record<string, Json> = {}) {
  return { kind: 'review', subtask_id: id, verdict, rationale: 'I have read the file', ...more };
}

export function escalation(severity: Json, more: Record<string, Json> = {}) {
  return { kind: 'escalation', severity, role: 'executor', reason: 'the key is missing', context: 'it is in no file', ...more };
}
