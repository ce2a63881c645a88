import type { MemberReport, ReportedMessage, ReportStatus } from '../../plan/board/report';
import type { NewTask, TaskRef } from '../../plan/board/task';
import { defined, ifDefined, unlessEmpty } from '../../plan/defined';
import type { Json } from '../../plan/text/json';
import { beginning, messageContent, storedText } from '../tools/board/of-member';
import type { AttemptScope } from './agent-session';
import type { ConversationResult } from './conversation';
import { describeInvalid } from './reply';

type Reported = ConversationResult & { report: MemberReport };

/**
 * What a program's answer asks of its board, with long texts in the store. An answer that is of no use after all repairs is no failure of
 * the member: its task goes back, with the reason.
 */
export async function reported({ toolbox, secrets }: AttemptScope, result: ConversationResult): Promise<Reported> {
  const use = { toolbox, mask: secrets.mask };
  const { reply, raw } = result;
  if (reply.kind === 'bad') {
    const said = await beginning(use, 'reason', `its answer could not be used: ${describeInvalid(reply)}`);
    return { ...result, reply: { kind: 'good', json: false, text: raw, value: raw }, report: { status: 'failed', said } };
  }
  const { status, summary, result: given = summary, create_tasks = [], messages = [] } = answerIn(reply.value);
  const said = status === 'done' ? await beginning(use, 'result', given) : await beginning(use, 'reason', summary);
  const tasks = await Promise.all(
    create_tasks.map(
      async ({ subject, name, description, blocked_by, required_role, priority, worktree }): Promise<NewTask> => ({
        subject: subject.trim(),
        ...defined({
          name: name?.trim(),
          description: await ifDefined(description, (text) => storedText(use, 'description', text)),
          blockedBy: unlessEmpty(blocked_by ?? []),
          requiredRole: required_role?.trim(),
          priority,
          worktree,
        }),
      }),
    ),
  );
  const sent = await Promise.all(
    messages.map(
      async ({ to, content }): Promise<ReportedMessage> => ({ to: to.trim(), ...(await messageContent(use, 'content', content)) }),
    ),
  );
  return { ...result, report: { status, said, ...defined({ tasks: unlessEmpty(tasks), messages: unlessEmpty(sent) }) } };
}

interface Answer {
  status: ReportStatus;
  summary: string;
  result?: string;
  create_tasks?: {
    subject: string;
    name?: string;
    description?: string;
    blocked_by?: TaskRef[];
    required_role?: string;
    priority?: number;
    worktree?: boolean;
  }[];
  messages?: { to: string; content: string }[];
}

/** `REPORT_SCHEMA` has checked it. */
function answerIn(value: Json): Answer {
  const answer: unknown = value;
  return answer as Answer;
}
