import { type MemberState, SENT_KEPT } from '../../../plan/board/board-state';
import { BOARD, type BoardMessage, LEAD, MOST_INBOX_CHARACTERS, MOST_MESSAGES, SHORT_CHARACTERS } from '../../../plan/board/message';
import { defined } from '../../../plan/defined';
import { shortened } from '../../../plan/text/shortened';
import { type Handling, note } from './handling';
import { absence, findMember, isBoundedByRequests, lives } from './members';

/** Messages on their way into inboxes. What cannot be delivered comes back into its sender's inbox, with the reason: nothing vanishes. */

/** False if a message with this id was sent before. */
export function isNew({ state }: Handling, id: string): boolean {
  if (state.sent.includes(id)) return false;
  state.sent = [...state.sent, id].slice(-SENT_KEPT);
  return true;
}

/** Returns why it was not delivered. */
export function deliver(h: Handling, message: BoardMessage): string | undefined {
  const reader = findMember(h.state, message.to);
  const isForPerson = message.to === LEAD && !reader;
  const reason = isForPerson ? undefined : (absence(h.state, message.to) ?? (reader && fullness(reader, message)));
  if (reason !== undefined) {
    comesBack(h, message, reason);
    return reason;
  }
  if (reader) reader.inbox.push({ ...message, to: reader.name });
  else h.decisions.push({ kind: 'to-person', message });
  note(h, { event: 'sent', from: message.from, to: reader?.name ?? message.to, type: message.type });
  return undefined;
}

function fullness({ name, inbox }: MemberState, { type, characters }: BoardMessage): string | undefined {
  if (isBoundedByRequests(type)) return undefined;
  const used = inbox.reduce((sum, message) => sum + message.characters, 0);
  if (inbox.length < MOST_MESSAGES && used + characters <= MOST_INBOX_CHARACTERS) return undefined;
  return `the inbox of ${name} is full (${inbox.length} messages, ${used} characters)`;
}

export function comesBack(h: Handling, message: BoardMessage, reason: string): void {
  const { from, to, type, id } = message;
  note(h, { event: 'undelivered', from, to, type, reason });
  const sender = findMember(h.state, from);
  if (!sender || !lives(sender) || from === BOARD || h.isLastWord) return;
  const words = `your ${type} to ${to} was not delivered: ${reason}. It said: ${message.content}`;
  const back: BoardMessage = {
    ...{ id: `${id}/back`, type: 'message', from: BOARD, to: sender.name, content: shortened(words, SHORT_CHARACTERS), at: iso(h) },
    ...{ characters: message.characters },
    ...defined({ whole: message.whole }),
  };
  // The note has it all the same.
  if (fullness(sender, back) === undefined) sender.inbox.push(back);
}

/** What a member that has gone has not read. */
export function returnUnread(h: Handling, member: MemberState): void {
  const { inbox } = member;
  member.inbox = [];
  const reason = absence(h.state, member.name) ?? '';
  for (const message of inbox) if (message.from !== BOARD) comesBack(h, message, reason);
}

export function read(member: MemberState, ids: readonly string[]): void {
  if (ids.length > 0) member.inbox = member.inbox.filter(({ id }) => !ids.includes(id));
}

/** Returns a message of the board itself. */
export function written(h: Handling, message: Pick<BoardMessage, 'type' | 'from' | 'to' | 'content' | 'requestId'>): BoardMessage {
  h.state.written += 1;
  return { id: `board-${h.state.written}`, ...message, characters: message.content.length, at: iso(h) };
}

function iso({ atMs }: Handling): string {
  return new Date(atMs).toISOString();
}
