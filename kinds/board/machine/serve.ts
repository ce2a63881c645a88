import type { BoardState, MemberState } from '../../../plan/board/board-state';
import { type Handling, note } from './handling';
import { claimsItself, fits, lives } from './members';
import { claimable } from './tasks';
import { beginWithInbox, beginWork, claim, enter, leave } from './works';

/**
 * The members that are idle, the one idle longest first: its inbox, else the first task that it may claim. In a team that drains there is
 * nothing for which they could say no to its end: they shut down, and no reply is paid for.
 */
export function serve(h: Handling): void {
  const { state } = h;
  if (state.over) return;
  for (;;) {
    const idle = state.members.filter(({ status }) => status === 'idle').sort((a, b) => a.sinceMs - b.sinceMs || a.slot - b.slot);
    for (const member of idle) {
      if (state.isDraining) leave(h, member, 'shutdown', 'the team ends, and it has nothing in progress');
      else if (member.inbox.length > 0) beginWithInbox(h, member);
      else claimFirst(h, member);
    }
    const sleeper = asleepFor(state);
    if (!sleeper) return;
    startAgain(h, sleeper);
  }
}

function claimFirst(h: Handling, member: MemberState): void {
  if (!claimsItself(member)) return;
  const task = claimable(h.state).find((one) => fits(member, one));
  if (!task) return;
  claim(h, member, task, 'auto');
  beginWork(h, member, { begins: 'task', task: task.number });
}

/** A task became claimable when everybody who may claim it had shut down, because nothing came: one of them starts again. */
function asleepFor(state: BoardState): MemberState | undefined {
  const asleep = state.members.filter((one) => one.status === 'shutdown' && !one.isDismissed && !one.isLead);
  if (asleep.length === 0 || state.isDraining) return undefined;
  const there = state.members.filter((one) => lives(one) && claimsItself(one));
  for (const task of claimable(state)) {
    if (there.some((one) => fits(one, task))) continue;
    const able = asleep.find((one) => fits(one, task));
    if (able) return able;
  }
  return undefined;
}

export function startAgain(h: Handling, member: MemberState): void {
  delete member.reason;
  enter(h, member, 'idle');
  note(h, { event: 'spawned', member: member.name, reason: 'a task came that nobody else may claim' });
}
