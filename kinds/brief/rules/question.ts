import type { Json } from '../../../plan/text/json';
import { textIn } from '../../../plan/text/json';
import { quoted } from '../../../plan/text/quoted';
import { planIn, subTaskIn } from './documents';
import { fenced, sections, subTaskText } from './texts';
import type { Halt, OperatorChoice } from './words';

export interface QuestionGiven {
  choices: readonly OperatorChoice[];
  subtask?: string;
  /** Absent: a confirmation. */
  halt?: Pick<Halt, 'why' | 'by' | 'reason'>;
}

/**
 * What a person is asked, as Markdown, in which agents' texts are quoted. Documents: `matter`, `plan`, `execution`, `reviewer`,
 * `critic`, `said` (the hand-off of an escalation).
 */
export function question(
  { choices, subtask, halt }: QuestionGiven,
  documents: Readonly<Record<string, Json>>,
): { result: string; values: Record<string, never> } {
  const { matter, plan: planned, execution, reviewer, critic, said } = documents;
  const plan = planIn(planned);
  const task = subtask === undefined ? undefined : subTaskIn(plan, subtask);
  const whole = !halt && !task;
  const isJudged = halt?.why === 'retries' || halt?.why === 'verdict';
  const meaning = (choice: OperatorChoice): string => (choice === 'retry' && isJudged ? AGAIN : MEANINGS[choice]);
  const text = sections([
    halt ? [HALTS[halt.why], `${halt.by}: ${halt.reason.replace(/\s+/g, ' ')}`] : ['Confirm', beginning(plan, task)],
    ['Severity', textIn(said, 'severity')],
    ['What the role says', quotedIn(said, 'reason')],
    ['Context', quotedIn(said, 'context')],
    ['The brief', whole ? textIn(matter, 'confirmation') : undefined],
    [
      'The plan',
      whole && plan ? plan.subtasks.map((one, at) => quoted(`${at + 1}. \`${one.id}\` ${subTaskText(one)}`)).join('\n\n') : undefined,
    ],
    ['The sub-task', task && quoted(subTaskText(task))],
    ['What it has', halt && execution !== undefined ? (typeof execution === 'string' ? quoted(execution) : fenced(execution)) : undefined],
    ['The reviewer', halt && reviewer !== undefined ? fenced(reviewer) : undefined],
    ['The critic', halt && critic !== undefined ? fenced(critic) : undefined],
    ['Answers', choices.map((choice) => `- \`${choice}\`: ${meaning(choice)}`).join('\n')],
  ]);
  return { result: text, values: {} };
}

/** What a yes begins. */
function beginning(plan: ReturnType<typeof planIn>, task: ReturnType<typeof subTaskIn>): string {
  if (task) return `Begin with the sub-task \`${task.id}\`?`;
  if (!plan) return 'Begin with the brief?';
  const { length } = plan.subtasks;
  return `Begin with this plan of ${length === 1 ? 'one sub-task' : `${length} sub-tasks`}?`;
}

function quotedIn(document: Json | undefined, name: string): string | undefined {
  const text = textIn(document, name);
  return text === undefined ? undefined : quoted(text);
}

const HALTS: Readonly<Record<Halt['why'], string>> = {
  escalation: 'A role asks for a decision',
  malformed: 'A reply cannot be read',
  failed: 'A role has not replied',
  verdict: 'The work fails',
  retries: 'The retries are used up',
  disagreement: 'The judges disagree',
  blocked: 'A role is blocked',
  destructive: 'A role announces a destructive action that the brief does not authorise',
};

const AGAIN = 'the executor tries it again, with as many retries as before; it reads your comment';

const MEANINGS: Readonly<Record<OperatorChoice, string>> = {
  confirm: 'begin',
  retry: 'the role is asked again; it reads your comment',
  pass: 'take it as it is, and go on',
  skip: 'leave the sub-task out, and with it those that depend on it',
  stop: 'the brief ends here',
  needs_retry: 'the verdict: the executor tries it again',
  fail: 'the verdict: the sub-task fails',
};
