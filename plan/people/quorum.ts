/**
 * How many of several must agree: a count, or a share of those who take part. Shares are fractions of whole numbers, so that
 * 2/3 of 3 is 2 and never 3.
 */
export type Quorum = { count: number } | { share: readonly [numerator: number, denominator: number] };

/** As plans hold it. A bare number is a share in binary, which plans had before. */
export type FrozenQuorum = Quorum | number;

/** How many of `total` the quorum means: at least 1. A count may be more than there are. */
export function neededOf(quorum: FrozenQuorum, total: number): number {
  if (typeof quorum === 'number') return Math.max(1, Math.ceil(quorum * total - ROUNDING));
  if ('count' in quorum) return quorum.count;
  const [numerator, denominator] = quorum.share;
  return Math.max(1, Math.ceil((numerator * total) / denominator));
}
/** 0.6 of 5 is 3, whatever binary fractions make of it. */
const ROUNDING = 1e-9;

/** "2 of 3"; "2" where nobody knows of how many. */
export function describeQuorum(needed: number, total: number | undefined): string {
  return total === undefined ? String(needed) : `${needed} of ${total}`;
}

/** "2 of 3 must approve", of a gate; undefined where one person decides. */
export function mustApprove({ quorum, approvers }: { quorum?: number; approvers?: readonly string[] }): string | undefined {
  return quorum === undefined || quorum < 2 ? undefined : `${describeQuorum(quorum, approvers?.length)} must approve`;
}

/** How many branches of a parallel step must succeed, where none is skipped. */
export type Join = 'all' | 'any' | 'some' | { needed: number; of: number };

export function joinOf({ wait, branches }: { wait?: 'any' | 'some' | { quorum: FrozenQuorum }; branches: readonly unknown[] }): Join {
  if (wait === undefined) return 'all';
  return wait === 'any' || wait === 'some' ? wait : { needed: neededOf(wait.quorum, branches.length), of: branches.length };
}
