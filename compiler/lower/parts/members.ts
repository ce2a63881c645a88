import type { MemberSource } from '../../shape/members';
import { namedAgent } from '../agents/agent-work';
import { approversOf } from '../people/people';
import type { StepContext } from '../step-context';

/** A member of a pattern, looked up. `people`: who may speak as the person; a group is its members. */
export type Member = { kind: 'agent'; name: string } | { kind: 'person'; name: string; people: string[] };

/** Undefined if there is nobody of that name, which is reported. */
export function memberFor({ kind, name }: MemberSource, here: StepContext): Member | undefined {
  if (kind === 'person') {
    const { approvers, allKnown } = approversOf([name], here.context);
    return allKnown ? { kind, name: name.value, people: approvers } : undefined;
  }
  const found = namedAgent(name, here);
  return found && { kind, name: found.id };
}

/** The name of a member's part, which becomes part of an id: `_` replaces characters that ids do not allow. */
export function partOfMember({ name }: Pick<Member, 'name'>): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_');
}
