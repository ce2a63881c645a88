import type { TicketOutcome } from '../../plan/queue/ticket';
import { ending } from '../../plan/text/shortened';
import { unreachable } from '../../plan/unreachable';
import { describeReturned } from '../../workflows/interpreter/merging/outcomes';
import type { Returned } from './rules/assignment';

/** How much of a failing test's output, from its end, an engineer gets in its assignment. */
export const MOST_TAIL = 4000;
const MOST_OWNERS = 20;

/** Why a candidate goes back to its engineer; undefined if nothing that an engineer does would help. */
export function returnedBy(
  outcome: Exclude<TicketOutcome, { kind: 'merged' }>,
  ownerOf: (path: string) => string | undefined,
): Returned | undefined {
  const message = wordsOfOutcome(outcome);
  switch (outcome.kind) {
    case 'restricted':
      return restrictedOf(outcome, message, ownerOf);
    case 'conflict':
    case 'markers':
      return { reason: 'conflict', message, paths: outcome.paths };
    case 'unrelated':
      return { reason: 'conflict', message };
    case 'red':
      return { reason: 'red', message, tail: ending(outcome.tail, MOST_TAIL) };
    case 'dropped':
      return { reason: 'review', message };
    case 'refused':
    case 'failed':
      return undefined;
    default:
      return unreachable(outcome);
  }
}

/** The engineer has to know who owns a file: only the owner may change it. */
function restrictedOf(
  { paths, morePaths }: Extract<TicketOutcome, { kind: 'restricted' }>,
  message: string,
  ownerOf: (path: string) => string | undefined,
): Returned {
  const owned = paths.flatMap((path) => {
    const owner = ownerOf(path);
    return owner === undefined ? [] : [{ path, owner }];
  });
  if (owned.length === 0) return { reason: 'restricted', message, paths };
  const whose = owned.slice(0, MOST_OWNERS).map(({ path, owner }) => `${JSON.stringify(path)} belongs to task ${owner}`);
  const more = owned.length > whose.length ? `, and ${owned.length - whose.length} more belong to others` : '';
  const isAll = owned.length === paths.length && morePaths === undefined;
  return { reason: isAll ? 'ownership' : 'restricted', message: `${message}; ${whose.join(', ')}${more}`, paths };
}

export function wordsOfOutcome(outcome: Exclude<TicketOutcome, { kind: 'merged' }>): string {
  const words = describeReturned(outcome);
  return outcome.kind === 'unrelated' ? `${words}: begin from \`base_commit\`, and rewrite nothing` : words;
}
