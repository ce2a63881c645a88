import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * The name of a worker's workflow code in history. It is in three events of each step, so it is short: the SDK's own takes 96 bytes.
 *
 * @param codePath the workflow bundle
 */
export function buildIdOf(codePath: string): string {
  return `thermidor+${createHash('sha256').update(readFileSync(codePath)).digest('hex').slice(0, 12)}`;
}
