import type { BoardState, MemberState, TaskState } from '../../../plan/board/board-state';
import { LEAD, type MessageType } from '../../../plan/board/message';
import { bug } from '../../../plan/run/failure';

/** Who is in the team, and who may do what. */

export function memberOf(state: BoardState, name: string): MemberState {
  const member = state.members.find((one) => one.name === name);
  if (!member) throw bug(`there is no member ${name}`);
  return member;
}

/** The member of that name. The lead is found by `LEAD`, too. */
export function findMember({ members }: BoardState, name: string): MemberState | undefined {
  return members.find((one) => one.name === name) ?? (name === LEAD ? members.find(({ isLead }) => isLead) : undefined);
}

export function lives({ status }: MemberState): boolean {
  return status === 'working' || status === 'idle';
}

export function fits({ role }: Pick<MemberState, 'role'>, { requiredRole }: Pick<TaskState, 'requiredRole'>): boolean {
  return requiredRole === undefined || requiredRole === role;
}

/** A lead claims nothing by itself, and neither does a member that is about to leave. */
export function claimsItself({ isLead, isLeaving }: MemberState): boolean {
  return !isLead && !isLeaving;
}

/** When it shuts down if nothing comes. Undefined: it does not, or not by that. A lead stays for as long as others live. */
export function idleDue({ tasks, members, limits }: BoardState, member: MemberState): number | undefined {
  if (member.status !== 'idle') return undefined;
  // What the merge queue gives back comes to who has made it.
  if (tasks.some(({ status, owner }) => status === 'landing' && owner === member.name)) return undefined;
  if (limits.until === 'stopped') return undefined;
  if (!member.isLead) return member.sinceMs + limits.idleMs;
  if (members.some((other) => other !== member && lives(other))) return undefined;
  return Math.max(...members.map(({ sinceMs }) => sinceMs)) + limits.idleMs;
}

/** The moment at which it shuts down, or begins again after a failure, if nothing comes before. */
export function dueOf(state: BoardState, member: MemberState): number | undefined {
  return member.status === 'failed' ? member.backMs : idleDue(state, member);
}

/** Whether a member that shuts down now goes on in a later run of the team. */
export function goesOnLater({ isDraining, limits }: Pick<BoardState, 'isDraining' | 'limits'>): boolean {
  return isDraining === true && limits.until === 'stopped';
}

/** Who may not be written to, and why. */
export function absence(state: BoardState, name: string): string | undefined {
  const member = findMember(state, name);
  const there = state.members.filter(lives).map((one) => one.name);
  const others = there.length === 0 ? 'nobody is there' : `there are ${there.join(', ')}`;
  if (!member) return `nobody in the team is called ${name}; ${others}`;
  if (lives(member)) return undefined;
  return `${member.name} ${member.status === 'failed' ? 'has failed' : 'has shut down'}; ${others}`;
}

/** These are bounded by the requests that are pending, and reach a full inbox, too. */
export function isBoundedByRequests(type: MessageType): boolean {
  return type !== 'message' && type !== 'broadcast';
}
