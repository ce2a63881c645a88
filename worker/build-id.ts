import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * What history calls the workflow code that a worker runs. It is in three events of each step, so it is short: the SDK's own takes 96 bytes.
 *
 * @param codePath the workflow bundle
 */
export function buildIdOf(codePath: string): string {
  return `thermidor+${createHash('sha256').update(readFileSync(codePath)).digest('hex').slice(0, 12)}`;
}
