import { createHash } from 'node:crypto';

/** Names of what is in a folder of worktrees: short, because paths have limits, and unique. */

/** The epoch is in the name: a host that takes its own slot again finds nothing of before. */
export function worktreeName({ run, slot, epoch }: { run: string; slot: string; epoch: number }): string {
  return `${readable(slot)}-${digest(run, slot)}-${epoch}`;
}

export function readable(text: string): string {
  const name = text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return name.slice(0, 30).replace(/^-|-$/g, '') || 'x';
}

export function digest(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 16);
}
