import type { MemberState, RequestState } from '../../../plan/board/board-state';
import { BOARD, type BoardMessage, LEAD } from '../../../plan/board/message';
import type { BoardAnswer } from '../../../plan/board/request';
import { defined } from '../../../plan/defined';
import type { Handling } from './handling';
import { findMember, lives } from './members';
import { comesBack, deliver, written } from './messages';
import { refuse } from './refusals';
import { answerLater, openRequest, pendingOf, planAnswer, settle } from './requests';
import { leave } from './works';

/** Requests to shut down, and plans: who may ask, who may answer, and what follows. */

const NO_ANSWER = 'it has not answered a request to shut down in time';

/** A request of the lead, a person, or the board itself. */
export function askToShutDown(h: Handling, message: BoardMessage): string | undefined {
  const { state, atMs } = h;
  const member = findMember(state, message.to);
  const sender = findMember(state, message.from);
  const wrong =
    sender && !sender.isLead
      ? 'only the lead asks others to shut down'
      : member && pendingOf(state, 'shutdown', member.name)
        ? 'it was asked before, and has not answered yet'
        : undefined;
  if (wrong !== undefined) {
    comesBack(h, message, wrong);
    return wrong;
  }
  const id = message.requestId ?? message.id;
  const failed = deliver(h, { ...message, requestId: id });
  if (failed !== undefined || !member) return failed;
  openRequest(h, {
    ...{ id, kind: 'shutdown', from: sender?.name ?? message.from, to: member.name, status: 'pending' },
    dueMs: atMs + state.limits.shutdownMs,
  });
  // Its answer would cost a reply, and there is only one.
  if (member.isProgram && member.status === 'idle') agreeToShutDown(h, member);
  return undefined;
}

/** A program cannot answer the request that is pending: it agrees, at the end of its WORK. */
export function agreeToShutDown(h: Handling, member: MemberState): void {
  const asked = pendingOf(h.state, 'shutdown', member.name);
  if (!asked) return;
  member.inbox = member.inbox.filter(({ requestId }) => requestId !== asked.id);
  const { name: from } = member;
  const answer = written(h, { type: 'shutdown_response', from, to: asked.from, content: 'my work is over', requestId: asked.id });
  answerRequest(h, { ...answer, approved: true });
}

export function askToShutDownAll(h: Handling, members: readonly MemberState[], from: string, content: string): void {
  for (const { name } of members) {
    if (pendingOf(h.state, 'shutdown', name)) continue;
    askToShutDown(h, written(h, { type: 'shutdown_request', from, to: name, content }));
  }
}

/** The member's call waits for the answer: of the lead, or of a person. */
export function submitPlan(h: Handling, member: MemberState, call: string, message: BoardMessage): BoardAnswer | undefined {
  const { state, atMs } = h;
  const before = pendingOf(state, 'plan', member.name);
  if (before?.call === call) return undefined;
  if (before) return refuse('pending', 'your plan before this one has no answer yet', { request_id: before.id });
  const lead = findMember(state, LEAD);
  const isWithLead = lead !== undefined && lead !== member && lives(lead);
  const id = message.requestId ?? message.id;
  if (state.requests.some((one) => one.id === id)) return refuse('name_taken', 'a request has this id; choose another', { request_id: id });
  const plan: BoardMessage = { ...message, type: 'plan_approval', from: member.name, to: lead?.name ?? LEAD, requestId: id };
  const dueMs = isWithLead ? atMs + state.limits.shutdownMs : undefined;
  openRequest(h, { id, kind: 'plan', from: member.name, to: plan.to, status: 'pending', call, ...defined({ dueMs }) });
  if (isWithLead) deliver(h, plan);
  else h.decisions.push({ kind: 'ask-plan', requestId: id, message: plan });
  return undefined;
}

/** Only the addressee may answer, and once. An answer that comes again changes nothing. */
export function answerRequest(h: Handling, message: BoardMessage): string | undefined {
  const kind = message.type === 'plan_approval_response' ? 'plan' : 'shutdown';
  const request = h.state.requests.find((one) => one.id === message.requestId && one.kind === kind);
  const wrong = whyNoAnswer(h, request, message);
  if (wrong !== undefined || !request) {
    comesBack(h, message, wrong ?? '');
    return wrong;
  }
  const isApproved = message.approved === true;
  settle(h, request, isApproved ? 'approved' : 'rejected');
  if (kind === 'plan') {
    answerLater(h, request, planAnswer(request.id, isApproved, message));
    return undefined;
  }
  if (findMember(h.state, request.from)) deliver(h, { ...message, to: request.from });
  // A person sees by its state that a member has agreed.
  else if (request.from !== BOARD && !isApproved) h.decisions.push({ kind: 'to-person', message: { ...message, to: request.from } });
  if (isApproved) shutDownSoon(h, request);
  return undefined;
}

function whyNoAnswer({ state }: Handling, request: RequestState | undefined, { from, approved }: BoardMessage): string | undefined {
  if (!request) return 'there is no such request; answer by the request_id of the request';
  const sender = findMember(state, from);
  const addressee = findMember(state, request.to);
  // A plan that waits for a person has no end by itself.
  const isByPerson = !sender && request.kind === 'plan' && request.dueMs === undefined;
  if (!isByPerson && (!addressee || sender !== addressee)) return `${request.to} was asked, and nobody else answers`;
  if (request.status !== 'pending') return `the request is ${request.status} already`;
  if (typeof approved !== 'boolean') return 'it says neither yes nor no';
  return undefined;
}

function shutDownSoon(h: Handling, request: RequestState): void {
  const member = findMember(h.state, request.to);
  if (!member || !lives(member)) return;
  if (request.from !== BOARD) member.isDismissed = true;
  if (member.status === 'idle') leave(h, member, 'shutdown', 'it was asked to');
  else member.isLeaving = true;
}

/** A member that has not answered is shut down; a plan that nobody has answered is refused. */
export function expire(h: Handling, request: RequestState): void {
  settle(h, request, 'expired');
  if (request.kind === 'plan') {
    answerLater(h, request, refuse('expired', 'nobody has answered the plan in time', { request_id: request.id }));
    return;
  }
  const member = findMember(h.state, request.to);
  if (!member || !lives(member)) return;
  if (request.from !== BOARD) member.isDismissed = true;
  if (member.status === 'working') h.decisions.push({ kind: 'end-work', member: member.name });
  leave(h, member, 'shutdown', NO_ANSWER);
}
