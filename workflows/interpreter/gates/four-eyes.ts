import { isProven, type Starter, starterText } from '../../../plan/people/starter';
import type { Run } from '../run';
import type { GateRecord } from './gate-record';
import type { GateSpec } from './gate-spec';

/**
 * Four eyes: neither the owner nor the person who started the run decides. The starter is a claim unless a seal proves it, and a claim
 * excludes nobody: anybody can start a run under another name, and decide themselves.
 *
 * Invariant: at a gate with four eyes and proven identities two different people are proven, among those who started the run and those who
 * agree to it. If the starter is not proven, two must agree, whatever `quorum` and the escalation chain say.
 */
export function barredByFourEyes({ plan, opened: { startedBy } }: Run): string[] {
  const starter = startedBy?.kind === 'person' ? startedBy.name : undefined;
  return [plan.owner, starter].filter((name) => name !== undefined);
}

type Asked = Pick<GateSpec, 'fourEyes' | 'identity' | 'quorum'>;

/** How many must agree. */
export function effectiveQuorum(run: Run, { fourEyes, identity, quorum = 1 }: Asked): number {
  if (!fourEyes || identity !== 'proven' || isProven(run.opened.startedBy) || quorum >= TWO) return quorum;
  return TWO;
}
const TWO = 2;

/** What people should know of a gate before they answer: who started the run, what follows from that, and whether anybody can pass it. */
export function fourEyesNote(run: Run, asked: Asked, gate: Pick<GateRecord, 'approvers' | 'notBy' | 'quorum'>): string | undefined {
  const { startedBy } = run.opened;
  const needed = gate.quorum ?? 1;
  const isRaised = needed > (asked.quorum ?? 1);
  const parts = [
    asked.fourEyes ? started(startedBy) : undefined,
    isRaised ? `The starter is not proven, so ${needed} different people must agree` : undefined,
    whyNobodyCan(needed, gate, isRaised),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : `${parts.join('. ')}.`;
}

function started(startedBy: Starter | undefined): string {
  return startedBy ? `Started by ${starterText(startedBy)}` : 'The starter is unknown';
}

/** A gate that can never pass says so as it opens: the wait would be forever. */
function whyNobodyCan(
  needed: number,
  { approvers, notBy = [] }: Pick<GateRecord, 'approvers' | 'notBy'>,
  isRaised: boolean,
): string | undefined {
  if (!approvers) return undefined;
  const left = approvers.filter((name) => !notBy.includes(name));
  if (left.length >= needed) return undefined;
  const who = left.length === 0 ? 'none of its approvers may decide' : `only ${left.join(', ')} may decide`;
  const way = isRaised && left.length > 0 ? 'start it again with --token' : 'start it again as somebody else, or name more approvers';
  const end = left.length === 0 ? 'Abort the run' : 'Reject it or abort the run';
  return `Nobody can approve this: ${who}. ${end}, and ${way}`;
}
