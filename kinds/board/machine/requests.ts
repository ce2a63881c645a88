import { ANSWERS_KEPT, type BoardState, type MemberState, REQUESTS_KEPT, type RequestState } from '../../../plan/board/board-state';
import { BOARD, type BoardMessage } from '../../../plan/board/message';
import type { BoardAnswer } from '../../../plan/board/request';
import { defined } from '../../../plan/defined';
import { type Handling, note } from './handling';
import { findMember } from './members';
import { accept, refSaid } from './refusals';

/** Handshakes as records: `pending`, then approved, rejected or expired, once. `handshakes.ts` has what follows. */

export function nextRequestDue({ requests }: BoardState): number | undefined {
  const moments = requests.flatMap(({ status, dueMs }) => (status === 'pending' ? (dueMs ?? []) : []));
  return moments.length === 0 ? undefined : Math.min(...moments);
}

/** The id of one that has waited too long. */
export function overdueRequest({ requests }: BoardState, nowMs: number): string | undefined {
  return requests.find((request) => isOverdue(request, nowMs))?.id;
}

export function isOverdue({ status, dueMs }: RequestState, nowMs: number): boolean {
  return status === 'pending' && dueMs !== undefined && dueMs <= nowMs;
}

export function openRequest(h: Handling, request: RequestState): void {
  h.state.requests.push(request);
  const { id, from, to } = request;
  note(h, { event: 'request', requestId: id, state: 'pending', from, to });
}

export function settle(h: Handling, request: RequestState, status: Exclude<RequestState['status'], 'pending'>): void {
  request.status = status;
  const { id, from, to } = request;
  note(h, { event: 'request', requestId: id, state: status, from, to });
  const { state } = h;
  const over = state.requests.filter((one) => one.status !== 'pending').slice(0, -REQUESTS_KEPT);
  if (over.length > 0) state.requests = state.requests.filter((one) => !over.includes(one));
}

export function pendingOf({ requests }: BoardState, kind: RequestState['kind'], member: string): RequestState | undefined {
  return requests.find((one) => one.status === 'pending' && one.kind === kind && (kind === 'plan' ? one.from : one.to) === member);
}

/** The member has gone: it has shut down, as it was asked to, and waits for no answer. */
export function settleAllOf(h: Handling, member: MemberState): void {
  const asked = pendingOf(h.state, 'shutdown', member.name);
  if (asked && asked.from !== BOARD) member.isDismissed = true;
  if (asked) settle(h, asked, 'approved');
  const plan = pendingOf(h.state, 'plan', member.name);
  if (plan) settle(h, plan, 'expired');
}

/** An answer that comes later than its request. */
export function answerLater(h: Handling, { from, call }: RequestState, answer: BoardAnswer): void {
  const member = findMember(h.state, from);
  if (!member || call === undefined) return;
  remember(member, call, answer);
  h.decisions.push({ kind: 'answered', member: member.name, id: call, answer });
}

export function planAnswer(
  requestId: string,
  isApproved: boolean,
  { content, whole }: Pick<BoardMessage, 'content' | 'whole'>,
): BoardAnswer {
  return accept({ request_id: requestId, approved: isApproved, feedback: content, ...defined({ whole: whole && refSaid(whole) }) });
}

export function remember(member: MemberState, call: string, answer: BoardAnswer): void {
  member.answers = [...(member.answers ?? []), [call, answer] as [string, BoardAnswer]].slice(-ANSWERS_KEPT);
}

export function remembered({ answers = [] }: MemberState, call: string): BoardAnswer | undefined {
  return answers.find(([id]) => id === call)?.[1];
}
