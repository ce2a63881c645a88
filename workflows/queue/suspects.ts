import type { Decided } from './endings';
import type { Attempt, QueueState } from './queue-state';

/**
 * How the fault of a red batch is found: by tests of its first so many, which need no merge, because they were merged on the way to the
 * batch.
 *
 * Invariants: 1. a part of the suspects is on the target, or on the part before it; 2. if one suspect is left it is red on the target
 * itself: with it the target is exactly what was tested; 3. candidates after a red one are suspected no more.
 */
export function suspect(state: QueueState, { tickets, merged, within, red }: Attempt): void {
  delete state.suspects;
  if (!merged || !red || tickets.length < 2) return;
  state.suspects = { onto: merged.onto, commits: merged.commits, within: within ?? merged.result, red };
}

/** The next part that is worth a test; undefined if all but the last suspect are at work: with that one it is red. */
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

/** A part has landed: names the culprit, if it is known now. */
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

/** Suspects with no work in progress. */
export function waitingSuspects({ suspects, line }: QueueState): number[] {
  const atWork = new Set(line.flatMap(({ tickets }) => tickets));
  return suspects?.commits.flatMap(({ ticket }) => (atWork.has(ticket) ? [] : [ticket])) ?? [];
}
