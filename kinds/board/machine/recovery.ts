import type { MemberState } from '../../../plan/board/board-state';
import type { FailureCode } from '../../../plan/run/failure';
import { type Handling, note } from './handling';
import { begin, enter, leave } from './works';

/**
 * In a team that goes on, a member whose model service was away comes back by itself: after a pause that doubles, and not for ever. Each
 * WORK that ends well begins the count anew.
 */

/** The service cannot be reached, or answers with an error, also when it was asked again. */
const AWAY = 'model.api-error' satisfies FailureCode;
const FIRST_PAUSE_MS = 60_000;
/** In a row: the last of the pauses is 32 minutes. */
const MOST_COMEBACKS = 6;

export function failWork(h: Handling, member: MemberState, code: string, reason: string): void {
  const { state, atMs } = h;
  const { failures = 0, isLeaving } = member;
  const isAway = code === AWAY && failures < MOST_COMEBACKS;
  if (isAway && state.limits.until === 'stopped' && !state.isDraining && !isLeaving) {
    member.failures = failures + 1;
    member.backMs = atMs + FIRST_PAUSE_MS * 2 ** failures;
  }
  leave(h, member, 'failed', reason);
}

/** Its moment has come. A team that ends needs it no more. */
export function recover(h: Handling, member: MemberState): void {
  const { backMs } = member;
  if (member.status !== 'failed' || backMs === undefined || backMs > h.atMs) return;
  delete member.backMs;
  if (h.state.isDraining || h.state.over) return;
  delete member.reason;
  enter(h, member, 'idle');
  note(h, { event: 'spawned', member: member.name, reason: 'its model may answer again' });
  begin(h, member);
}
