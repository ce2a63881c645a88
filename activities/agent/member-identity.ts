import type { MemberWork } from '../../plan/board/member-work';
import type { MemberIdentity } from '../agent-port';

/** The words with which a member's context begins, whatever it begins a WORK for. */
export function identityOf({ name, role, team }: MemberWork): MemberIdentity {
  const who = role === undefined ? '' : ` role: ${role},`;
  return {
    text: `<identity>You are '${name}',${who} team: ${team}. Continue your work.</identity>`,
    answer: `I am ${name}. Continuing.`,
  };
}
