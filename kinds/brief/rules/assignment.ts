import type { AskedKind } from '../../../plan/brief/hand-off';
import { isJsonObject, type Json, textIn } from '../../../plan/text/json';
import { quoted } from '../../../plan/text/quoted';
import { SINGLE_ROLE } from '../model';
import { planIn, subTaskIn } from './documents';
import { answerForm, fenced, sections, subTaskText } from './texts';

export interface AssignmentGiven {
  role: string;
  expects: AskedKind;
  subtask?: string;
}

/**
 * What a role is asked, as Markdown: the brief, what it is to do, and what others have handed to it. Documents: `matter`, `plan`,
 * `execution`, `comment`, `revision-N` (judges' reports), `before-ID` (executions of the sub-tasks that this one depends on).
 */
export function assignment(
  { role, expects, subtask }: AssignmentGiven,
  documents: Readonly<Record<string, Json>>,
): { result: string; values: Record<string, never> } {
  const { plan, execution, comment, matter } = documents;
  const isJudge = expects === 'review';
  const task = subtask === undefined ? undefined : subTaskIn(planIn(plan), subtask);
  const handed = (prefix: string): string[] =>
    Object.entries(documents).flatMap(([name, value]) => (name.startsWith(prefix) ? [fenced(value)] : []));
  const text = sections([
    ['Brief', textIn(matter, 'brief')],
    ['Your task', expects === 'plan' ? PLAN : task ? quoted(subTaskText(task)) : role === SINGLE_ROLE ? WORK : undefined],
    ['Roles', expects === 'plan' ? textIn(matter, 'roles') : undefined],
    ['Your plan so far', expects === 'plan' && isJsonObject(plan) ? fenced(plan) : undefined],
    ['Results that this builds on', handed('before-').join('\n\n')],
    [isJudge ? 'What the executor hands over' : 'Your work so far', execution === undefined ? undefined : handedOver(execution)],
    ['What the review asks for', handed('revision-').join('\n\n')],
    ['What a person says', typeof comment === 'string' ? comment : undefined],
    ['Your answer', role === SINGLE_ROLE ? undefined : answerOf(expects, subtask)],
  ]);
  return { result: text, values: {} };
}

const PLAN = 'Plan the work of this brief. Do none of it.';
const WORK = 'Do the work of this brief. When it is done, say what is there now and where.';

function answerOf(expects: AskedKind, subtask: string | undefined): string {
  const form = answerForm(expects);
  return subtask === undefined ? form : `${form}\n\nThe \`subtask_id\` is ${JSON.stringify(subtask)}.`;
}

/** The reply of one agent is text. */
function handedOver(execution: Json): string {
  return typeof execution === 'string' ? quoted(execution) : fenced(execution);
}
