import type { Returned } from '../../plan/caid/assignment';
import type { TicketOutcome } from '../../plan/queue/ticket';
import { unreachable } from '../../plan/unreachable';
import { describeReturned } from '../../workflows/interpreter/merging/outcomes';

/** The end of what a failing test printed, as far as an engineer gets it in its assignment. */
const MOST_TAIL = 4000;

/** Why a candidate goes back to its engineer; undefined where nothing that an engineer does would help. */
export function returnedBy(outcome: Exclude<TicketOutcome, { kind: 'merged' }>): Returned | undefined {
  const message = wordsOfOutcome(outcome);
  switch (outcome.kind) {
    case 'conflict':
    case 'restricted':
      return { reason: outcome.kind, message, paths: outcome.paths };
    case 'markers':
      return { reason: 'conflict', message, paths: outcome.paths };
    case 'unrelated':
      return { reason: 'conflict', message };
    case 'red':
      return { reason: 'red', message, tail: outcome.tail.slice(-MOST_TAIL) };
    case 'dropped':
      return { reason: 'review', message };
    case 'refused':
    case 'failed':
      return undefined;
    default:
      return unreachable(outcome);
  }
}

export function wordsOfOutcome(outcome: Exclude<TicketOutcome, { kind: 'merged' }>): string {
  const words = describeReturned(outcome);
  return outcome.kind === 'unrelated' ? `${words}: begin from \`base_commit\`, and rewrite nothing` : words;
}
