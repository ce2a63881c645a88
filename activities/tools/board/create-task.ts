import { MOST_BLOCKERS, SUBJECT_CHARACTERS, subjectProblem, type TaskRef } from '../../../plan/board/task';
import { defined, ifDefined, unlessEmpty } from '../../../plan/defined';
import { field, type JsonObject } from '../../../plan/text/json';
import { refused } from '../tool';
import { numberArgument } from '../tool-arguments';
import { decided, memberTool, storedText, TASK_ID } from './of-member';
import { trimmedOrNone, trimmedText } from './task-arguments';

export const CREATE_TASK = memberTool({
  description: 'Puts a task on the board: a member that is free and may claim it does it. The answer has its number.',
  required: ['subject'],
  properties: {
    subject: { type: 'string', description: `the task in one line, at most ${SUBJECT_CHARACTERS} characters` },
    description: { type: 'string', description: 'what is to be done, at most 64 KiB' },
    name: { type: 'string', description: 'a name for others to refer to it, unique on the board' },
    blocked_by: { type: 'array', maxItems: MOST_BLOCKERS, items: TASK_ID, description: 'the tasks that must be done before' },
    required_role: { type: 'string', description: 'the role that its owner must have' },
    priority: { type: 'integer', description: 'the smaller number is claimed first; 0 without it' },
    worktree: { type: 'boolean', description: 'true: it is done in a git worktree of its own. Without it: as the board says for all' },
  },
  async call(args, use) {
    const subject = use.mask(trimmedText(args, 'subject'));
    const wrong = subjectProblem(subject);
    if (wrong) return refused(`"subject" ${wrong.problem}: ${wrong.hint}`);
    const name = trimmedOrNone(args, 'name');
    const blockedBy = blockers(args);
    if (name !== undefined && blockedBy.includes(name))
      return refused(`the task "${name}" cannot be blocked by itself (${name} → ${name}); remove it from "blocked_by"`);
    const description = trimmedOrNone(args, 'description');
    return await decided(use, {
      kind: 'create_task',
      task: {
        subject,
        ...defined({
          name,
          description: await ifDefined(description, (text) => storedText(use, 'description', text)),
          blockedBy: unlessEmpty(blockedBy),
          requiredRole: trimmedOrNone(args, 'required_role'),
          priority: numberArgument(args, 'priority'),
          worktree: booleanIn(args, 'worktree'),
        }),
      },
    });
  },
});

function booleanIn(args: JsonObject, name: string): boolean | undefined {
  const value = field(args, name);
  return typeof value === 'boolean' ? value : undefined;
}

function blockers(args: JsonObject): TaskRef[] {
  const given = field(args, 'blocked_by');
  return Array.isArray(given) ? given.flatMap((ref) => (typeof ref === 'number' ? ref : typeof ref === 'string' ? ref.trim() : [])) : [];
}
