import type { StepContext } from '../../compiler/lower/step-context';
import { entryOf, type MappingNode } from '../../compiler/read/node';
import { checkName } from '../../compiler/shape/names';
import { DEFAULT_MEMBERS, MOST_MEMBERS } from '../../plan/board/member';
import { LEAD } from '../../plan/board/message';
import type { BoardSource } from './source';

/** Checks that each member has a name of its own, that there are slots for all, and that there is work to begin with. */
export function checkTeam(work: BoardSource, here: StepContext): void {
  checkNames(work, here);
  checkRoom(work, here);
  checkUse(work, here);
}

function checkNames({ members = [] }: BoardSource, { place, context: { report } }: StepContext): void {
  const seen = new Set<string>();
  for (const { name } of members) {
    if (!name) continue;
    const { value, at } = name;
    if (value === LEAD) report('board.same-member', at, `"${LEAD}" is what members call the lead`, 'give the member another name');
    else if (seen.has(value))
      report('board.same-member', at, `two members of "${place.step.id}" are called "${value}"`, 'give one of them another name');
    else checkName(name, 'member', report);
    seen.add(value);
  }
}

function checkRoom({ lead, members = [], mostMembers = DEFAULT_MEMBERS }: BoardSource, { place, context: { report } }: StepContext): void {
  const leads = lead ? 1 : 0;
  const count = members.length + leads;
  const over = members[mostMembers - leads];
  if (!over) return;
  const message = `the team of "${place.step.id}" has ${count} members${lead ? ', its lead included' : ''}; "most_members" is ${mostMembers}`;
  const hint =
    count <= MOST_MEMBERS ? `write \`most_members: ${count}\`, or leave some out` : `leave some out: a team has at most ${MOST_MEMBERS}`;
  report('board.too-many-members', over.node.entries[0]?.keyAt ?? over.node.at, message, hint);
}

/** A board that nobody works from, and one on which nothing ever happens. */
function checkUse({ node, lead, members = [], mostMembers, until }: BoardSource, { place, context: { report } }: StepContext): void {
  const { id, at } = place.step;
  if (!isEmpty(node, 'lead') && !lead) return;
  const isTold = lead?.prompt !== undefined || members.some(({ prompt }) => prompt);
  if (!isEmpty(node, 'members')) {
    const hint = 'add `tasks:`, or a `prompt:` for the lead or a member';
    if (isEmpty(node, 'tasks') && !isTold && until !== 'stopped')
      report('board.no-work', at, `the board of "${id}" has no tasks, and no prompt that could create any`, hint);
    return;
  }
  const nobody = `nobody works from the board of "${id}"`;
  if (isEmpty(node, 'spawns'))
    report('board.nobody', at, nobody, 'add `members:`, or a `lead:` with `spawns:`, the agents that it may spawn');
  else if (!isTold)
    report(
      'board.nobody',
      at,
      `${nobody}: its lead has no prompt that makes it spawn somebody`,
      'add a `prompt:` to its `lead:`, or `members:`',
    );
  else if (mostMembers === 1) report('board.nobody', at, `${nobody}: there is room only for its lead`, 'write `most_members: 2` or more');
}

/** Whether nothing is listed. What is listed and could not be read is reported already. */
function isEmpty(node: MappingNode, key: string): boolean {
  const written = entryOf(node, key)?.value;
  return written === undefined || (written.kind === 'sequence' && written.items.length === 0);
}
