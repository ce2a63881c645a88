import type { Json } from '../../../plan/text/json';
import type { Run } from '../run';

/** What an agent gets with its next task in the run. */

const INBOX_LIMIT = 1000;
/** All of it goes to one activity, and Temporal takes no more than 2 MiB. */
const INBOX_CHARACTERS = 400_000;

/** Undefined where there is room for the message. */
export function whyNoRoom(run: Run, to: string, content: Json): string | undefined {
  const inbox = inboxOf(run, to);
  if (inbox.length >= INBOX_LIMIT) return `the inbox of ${to} is full (${INBOX_LIMIT} messages)`;
  if (JSON.stringify(inbox).length + JSON.stringify(content).length > INBOX_CHARACTERS)
    return `the inbox of ${to} is full (${INBOX_CHARACTERS} characters)`;
  return undefined;
}

export function addToInbox(run: Run, to: string, { from, content }: { from: string; content: Json }): void {
  run.state.messages[to] = [...inboxOf(run, to), { from, content, at: new Date(run.ctx.now()).toISOString() }];
}

function inboxOf({ state: { messages } }: Run, to: string) {
  return Object.hasOwn(messages, to) ? (messages[to] ?? []) : [];
}
