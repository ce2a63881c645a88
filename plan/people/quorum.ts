/**
 * How many of several must agree: a count, or a share of those who take part. Shares are fractions of whole numbers, so that
 * 2/3 of 3 is 2 and never 3.
 */
export type Quorum = { count: number } | { share: readonly [numerator: number, denominator: number] };

/** A quorum in a plan. A bare number is a share in binary, the format of earlier plans. */
export type FrozenQuorum = Quorum | number;

/** How many of `total` the quorum means: at least 1. A count may exceed the total. */
export function neededOf(quorum: FrozenQuorum, total: number): number {
  if (typeof quorum === 'number') return Math.max(1, Math.ceil(quorum * total - ROUNDING));
  if ('count' in quorum) return quorum.count;
  const [numerator, denominator] = quorum.share;
  return Math.max(1, Math.ceil((numerator * total) / denominator));
}
/** 0.6 of 5 is 3, despite binary fractions. */
const ROUNDING = 1e-9;

/** "2 of 3"; "2" if the total is unknown. */
export function describeQuorum(needed: number, total: number | undefined): string {
  return total === undefined ? String(needed) : `${needed} of ${total}`;
}

/** "2 of 3 must approve", for a gate; undefined if one person decides. */
export function mustApprove({ quorum, approvers }: { quorum?: number; approvers?: readonly string[] }): string | undefined {
  return quorum === undefined || quorum < 2 ? undefined : `${describeQuorum(quorum, approvers?.length)} must approve`;
}

/** How many branches of a parallel step must succeed, if none is skipped. */
export type Join = 'all' | 'any' | 'some' | { needed: number; of: number };

export function joinOf({ wait, branches }: { wait?: 'any' | 'some' | { quorum: FrozenQuorum }; branches: readonly unknown[] }): Join {
  if (wait === undefined) return 'all';
  return wait === 'any' || wait === 'some' ? wait : { needed: neededOf(wait.quorum, branches.length), of: branches.length };
}
