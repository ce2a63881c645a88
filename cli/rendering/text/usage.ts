import { tokensOf, type Usage } from '../../../plan/budgets/usage';
import { count } from '../../../plan/text/short-count';

/** `12.3k tokens, $0.0512`; unknown cost is marked as unknown. */
export function renderUsage(usage: Usage): string {
  const tokens = tokensOf(usage);
  const cost = usage.costMicroUsd === null ? 'cost unknown' : `$${(usage.costMicroUsd / 1_000_000).toFixed(4)}`;
  return `${count(tokens)} tokens, ${cost}`;
}

/** `1.2 kB` */
export function bytes(value: number): string {
  if (value < 1000) return `${value} B`;
  if (value < 1_000_000) return `${(value / 1000).toFixed(1)} kB`;
  return value < 1_000_000_000 ? `${(value / 1_000_000).toFixed(1)} MB` : `${(value / 1_000_000_000).toFixed(1)} GB`;
}
