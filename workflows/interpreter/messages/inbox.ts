import type { AgentMessage } from '../../../plan/steps/step-activity';
import type { Json } from '../../../plan/text/json';
import { copyField } from '../../../plan/text/spelled-json';
import type { Run } from '../run';

/** How many messages an agent gets with its next task in the run. */

const INBOX_LIMIT = 1000;
/** All of it goes to one activity, and Temporal accepts no more than 2 MiB. */
const INBOX_CHARACTERS = 400_000;

/** Undefined if there is room for the message. */
export function whyNoRoom(run: Run, to: string, content: Json): string | undefined {
  const inbox = inboxOf(run, to);
  if (inbox.length >= INBOX_LIMIT) return `the inbox of ${to} is full (${INBOX_LIMIT} messages)`;
  if (JSON.stringify(inbox).length + JSON.stringify(content).length > INBOX_CHARACTERS)
    return `the inbox of ${to} is full (${INBOX_CHARACTERS} characters)`;
  return undefined;
}

/** @param said has what it says as `content` */
export function addToInbox(run: Run, to: string, from: string, said: { content?: Json }): void {
  const message: AgentMessage = { from, content: null, at: new Date(run.ctx.now()).toISOString() };
  copyField(said, 'content', message);
  run.state.messages[to] = [...inboxOf(run, to), message];
}

function inboxOf({ state: { messages } }: Run, to: string) {
  return Object.hasOwn(messages, to) ? (messages[to] ?? []) : [];
}
