import type { MemberState } from '../../../plan/board/board-state';
import { BOARD } from '../../../plan/board/message';
import type { MemberReport, ReportedMessage } from '../../../plan/board/report';
import type { NewTask } from '../../../plan/board/task';
import { jsonText } from '../../../plan/text/json-text';
import { type Handling, note } from './handling';
import { agreeToShutDown } from './handshakes';
import { finish } from './landing';
import { comesBack, deliver, written } from './messages';
import { addTasks } from './new-tasks';
import { giveBack, openTasksOf } from './tasks';
import { isElsewhere } from './works';

/**
 * Does what a member that is a program has answered at the end of its WORK. It can touch only its own tasks, and messages are from it.
 * Refusals come into its inbox, and it may correct itself in the WORK that they begin. What is refused then is in the journal alone: a
 * program that repeats its mistake would otherwise be paid for without end.
 */
export function takeReport(
  h: Handling,
  member: MemberState,
  { status, said, tasks = [], messages = [] }: MemberReport,
  commit: string | undefined,
): void {
  member.isProgram = true;
  const asking: Handling = correctsItself(member) ? { ...h, isLastWord: true } : h;
  createAll(asking, member, tasks);
  for (const message of messages) post(asking, member, message);
  for (const task of openTasksOf(h.state, member.name)) {
    // It speaks of what this WORK was about: a task with another worktree has one of its own.
    if (isElsewhere(member, task)) continue;
    if (status === 'done') finish(h, task, { result: said, commit });
    else giveBack(h, task, member.name, status === 'blocked' ? `blocked: ${said.text}` : said.text, said.whole);
  }
  // It had no other way to answer.
  agreeToShutDown(h, member);
}

/** The WORK began with nothing but what the board has said to the member. */
function correctsItself({ work, inbox }: MemberState): boolean {
  if (work?.begins !== 'inbox') return false;
  return inbox.every(({ id, from }) => from === BOARD || !work.messages?.includes(id));
}

function createAll(h: Handling, { name }: MemberState, tasks: readonly NewTask[]): void {
  const added = addTasks(h, tasks, name);
  if (Array.isArray(added)) return;
  const reason = jsonText(added.said);
  note(h, { event: 'refused', by: name, request: 'create_task', reason });
  if (h.isLastWord) return;
  deliver(h, written(h, { type: 'message', from: BOARD, to: name, content: `no task of your answer was created: ${reason}` }));
}

function post(h: Handling, { name }: MemberState, { content, ...sent }: ReportedMessage): void {
  const message = { ...written(h, { type: 'message', from: name, to: sent.to, content }), ...sent };
  if (sent.to === name) comesBack(h, message, 'it is to yourself');
  else deliver(h, message);
}
