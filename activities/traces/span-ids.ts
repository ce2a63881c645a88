import { createHash } from 'node:crypto';
import { parseAddress, shortAddress } from '../../plan/steps/address';
import type { RunKey } from '../../records/ledger';

/** A run is one trace, across all its executions. */
export function traceIdOf({ workflowId, run }: RunKey): string {
  return digest('trace', workflowId, run).slice(0, 32);
}

/** @param of what it is within the run: nothing for the run itself */
export function spanIdOf({ workflowId, run }: RunKey, ...of: readonly (string | number)[]): string {
  return digest('span', workflowId, run, ...of).slice(0, 16);
}

/** The span of a round of a step, from any address within it: its tries have no spans of their own. */
export function stepSpanId(key: RunKey, address: string): string {
  const parsed = parseAddress(address);
  return spanIdOf(key, 'step', parsed ? shortAddress({ ...parsed, try: 1 }) : address);
}

function digest(...of: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(of)).digest('hex');
}
