import type { MemberSource } from '../../shape/members';
import { namedAgent } from '../agents/agent-work';
import { approversOf } from '../people/people';
import type { StepContext } from '../step-context';

/** Who takes part in a pattern, looked up. `people`: who may speak as the person; a group is its members. */
export type Member = { kind: 'agent'; name: string } | { kind: 'person'; name: string; people: string[] };

/** Undefined where there is no such one, which is reported. */
export function memberFor({ kind, name }: MemberSource, here: StepContext): Member | undefined {
  if (kind === 'person') {
    const { approvers, allKnown } = approversOf([name], here.context);
    return allKnown ? { kind, name: name.value, people: approvers } : undefined;
  }
  const found = namedAgent(name, here);
  return found && { kind, name: found.id };
}

/** The name of a member's part, which is part of an id: of a person's name only what ids have. */
export function partOfMember({ name }: Pick<Member, 'name'>): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_');
}
