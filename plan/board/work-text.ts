import { setApart } from '../text/fenced';
import type { BoardWorkInput } from './board-activities';
import type { BoardMessage } from './message';
import type { ReturnedTask } from './task';

/** The words in which a member is given its work. The tags are those of the seed of boards: members learn to know them. */

/** Texts from the store. */
export interface WorkTexts {
  prompt?: string;
  description?: string;
  /** Why the task came back. */
  reason?: string;
  /** Messages with their whole content. */
  messages?: readonly BoardMessage[];
}

export function workText(
  { begins, task, open = [], isInWorktree, into }: Pick<BoardWorkInput, 'begins' | 'task' | 'open' | 'isInWorktree' | 'into'>,
  { prompt, description, reason, messages = [] }: WorkTexts,
): string {
  const claimed = task && [
    `<auto-claimed>Task #${task.number}: ${task.subject}</auto-claimed>`,
    description && setApart(description),
    cameBack(task.returned, reason),
  ];
  const reminder = begins === 'reminder' && [
    `You still own ${open.map(({ number, subject }) => `#${number}: ${subject}`).join('; ')}.`,
    'Complete it (complete_task), or say why it cannot be done (fail_task). Otherwise it goes back to the board.',
  ];
  const parts = [
    prompt,
    ...(claimed || []),
    isInWorktree && whereWords(into),
    messages.length > 0 ? inboxText(messages) : undefined,
    ...(reminder || []),
    begins === 'board'
      ? 'There is no task for you yet. Look at the board with list_tasks, or call idle: you are given what you may claim.'
      : undefined,
  ];
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n');
}

function whereWords(into: string | undefined): string {
  const where = 'You are in the worktree of this task.';
  return into === undefined
    ? where
    : `${where} What is there when you call complete_task is committed, and lands in ${into} once its tests pass.`;
}

function cameBack(returned: ReturnedTask | undefined, whole: string | undefined): string | undefined {
  if (!returned) return undefined;
  const why = whole ?? returned.reason;
  const said = setApart(why);
  return `It came back from ${returned.by}:${said === why ? ' ' : '\n\n'}${said}`;
}

/** Messages as a member reads them: one JSON object a line. */
export function inboxText(messages: readonly BoardMessage[]): string {
  const lines = messages.map(({ type, from, content, at, requestId, approved }) =>
    JSON.stringify({ type, from, content, at, request_id: requestId, approved }),
  );
  return `<inbox>\n${lines.join('\n')}\n</inbox>`;
}
