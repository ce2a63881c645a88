import type { Decided } from './endings';
import type { Attempt, QueueState } from './queue-state';

/**
 * How the fault of a red batch is found: by tests of its first so many, which need no merge, for they were merged on the way to the batch.
 *
 * Invariants: 1. a part of the suspects lies on the target, or on the part before it; 2. where one suspect is left it is red on the target itself: with it the
 * target is what was tested; 3. who comes after a candidate that is red is suspected no more.
 */
export function suspect(state: QueueState, { tickets, merged, within, red }: Attempt): void {
  delete state.suspects;
  if (!merged || !red || tickets.length < 2) return;
  state.suspects = { onto: merged.onto, commits: merged.commits, within: within ?? merged.result, red };
}

/** The next part that is worth a test; undefined where all but the last suspect are at work: with that one it is red. */
export function nextPart({ suspects, line }: QueueState): Pick<Attempt, 'tickets' | 'merged' | 'within'> | undefined {
  if (!suspects) return undefined;
  const atWork = new Set(line.flatMap(({ tickets }) => tickets));
  const rest = suspects.commits.filter(({ ticket }) => !atWork.has(ticket));
  const commits = rest.slice(0, Math.floor(rest.length / 2));
  const last = commits.at(-1);
  if (!last) return undefined;
  const { onto, within } = suspects;
  const below = suspects.commits[suspects.commits.length - rest.length - 1]?.commit ?? onto;
  return { tickets: commits.map(({ ticket }) => ticket), merged: { onto: below, result: last.commit, commits }, within };
}

/** A part has landed: whose fault it is, where that is known now. */
export function partLanded(state: QueueState, { tickets, merged }: Attempt): Decided[] {
  const { suspects } = state;
  if (!suspects || !merged) return [];
  const commits = suspects.commits.filter(({ ticket }) => !tickets.includes(ticket));
  if (commits.length === suspects.commits.length) return [];
  const onto = merged.result;
  state.suspects = { ...suspects, onto, commits };
  const [only, ...others] = commits;
  if (others.length > 0) return [];
  delete state.suspects;
  return only ? [{ number: only.ticket, outcome: { kind: 'red', onto, result: only.commit, ...suspects.red } }] : [];
}

/** Of which nothing is at work. */
export function waitingSuspects({ suspects, line }: QueueState): number[] {
  const atWork = new Set(line.flatMap(({ tickets }) => tickets));
  return suspects?.commits.flatMap(({ ticket }) => (atWork.has(ticket) ? [] : [ticket])) ?? [];
}
