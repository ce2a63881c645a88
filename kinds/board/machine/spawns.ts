import type { BoardState, MemberState } from '../../../plan/board/board-state';
import { MEMBER_NAME, MEMBER_NAME_RULE } from '../../../plan/board/member';
import { LEAD } from '../../../plan/board/message';
import type { BoardAnswer } from '../../../plan/board/request';
import { defined } from '../../../plan/defined';
import type { NewMember, SpawnedMember } from './events';
import { type Handling, note } from './handling';
import { findMember, lives } from './members';
import { accept, refuse } from './refusals';
import { begin } from './works';

/** New members, and old ones that start again with the context that they had. */

/** A lead may spawn the agents that the file names for it; a person all that the team has. */
export interface Spawner {
  name: string;
  isLead?: true;
  isPerson?: true;
}

export function spawn(h: Handling, by: Spawner, member: SpawnedMember): BoardAnswer {
  const { state } = h;
  const { name, role, prompt } = member;
  const before = findMember(state, name);
  const agent = member.agent ?? before?.agent ?? onlyOne(spawnable(state, by)) ?? '';
  const wrong = whyNotSpawned(state, by, { name, agent }, before);
  if (wrong) return wrong;
  const spawned = before ?? Object.assign(added(h, { name, agent }), { isSpawned: true as const });
  Object.assign(spawned, { agent }, defined({ role, prompt }));
  for (const key of ['reason', 'isDismissed', 'isLeaving', 'failures', 'backMs'] as const) delete spawned[key];
  note(h, { event: 'spawned', member: name, reason: `by ${by.name}` });
  begin(h, spawned);
  return accept({ name, agent, status: spawned.status, ...defined({ role: spawned.role }), again: before !== undefined });
}

function whyNotSpawned(
  state: BoardState,
  by: Spawner,
  { name, agent }: { name: string; agent: string },
  before: MemberState | undefined,
): BoardAnswer | undefined {
  const { members: most } = state.limits;
  const spawns = spawnable(state, by);
  if (state.over) return refuse('board_over', 'the team has ended');
  if (!by.isLead && !by.isPerson) return refuse('not_lead', 'only the lead spawns teammates');
  if (state.isDraining) return refuse('draining', 'the team is about to end');
  if (!MEMBER_NAME.test(name) || name === LEAD) return refuse('unfit', MEMBER_NAME_RULE);
  if (before?.status === 'working') return refuse('working', `${name} is working; send a message, or choose another name`, { name });
  if (!spawns.includes(agent) && before?.agent !== agent) {
    const hint = spawns.length === 0 ? 'this team spawns nobody' : `you may spawn ${spawns.join(', ')}`;
    return refuse('unknown_agent', hint, agent === '' ? {} : { agent });
  }
  if (before || state.members.length < most) return undefined;
  const gone = state.members.filter((member) => !lives(member)).map((member) => member.name);
  const hint = gone.length === 0 ? 'all members of the team are there' : `start one of these again: ${gone.join(', ')}`;
  return refuse('no_free_slot', hint, { slots: most });
}

/** Each has a part of the step. */
function spawnable({ limits, members }: BoardState, { isPerson }: Spawner): string[] {
  return isPerson ? [...new Set([...limits.spawns, ...members.map(({ agent }) => agent)])] : limits.spawns;
}

function onlyOne(agents: readonly string[]): string | undefined {
  return agents.length === 1 ? agents[0] : undefined;
}

/** Each member has a slot for good, so that there are never more of them than slots. */
export function added({ state, atMs }: Handling, { name, agent, role, isLead, prompt }: NewMember): MemberState {
  const slots = new Set(state.members.map(({ slot }) => slot));
  let slot = 1;
  while (slots.has(slot)) slot += 1;
  const member: MemberState = {
    ...{ name, agent, slot, status: 'idle', sinceMs: atMs, inbox: [], works: 0 },
    ...defined({ role, isLead, prompt }),
  };
  state.members.push(member);
  return member;
}

/** Why these cannot be the members that a board opens with. */
export function whyNoTeam({ limits }: BoardState, members: readonly NewMember[]): BoardAnswer | undefined {
  if (members.length > limits.members) return refuse('no_free_slot', `the team has ${limits.members} slots`, { members: members.length });
  for (const [at, { name, isLead }] of members.entries()) {
    if (!MEMBER_NAME.test(name) || (name === LEAD && !isLead)) return refuse('unfit', 'this is no name for a member', { name });
    if (members.findIndex((other) => other.name === name) !== at) return refuse('name_taken', 'two members have this name', { name });
  }
  return undefined;
}
