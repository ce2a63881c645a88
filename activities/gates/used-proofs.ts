import { isJsonObject } from '../../plan/text/json';
import type { Ledger, RunKey } from '../../records/ledger';

/**
 * A proof is in history, where everybody reads it, and a workflow id can be started again. So a proof counts for the run that brings it
 * first, and for no later one under its id; it is recorded next to the runs of that id, by what it proves.
 *
 * @param proof what tells it from all others
 */
export async function countsFor(
  { ledger }: { ledger: Pick<Ledger, 'putIfAbsent'> },
  { workflowId, run }: RunKey,
  proves: 'start-proofs' | 'decision-proofs',
  proof: string,
): Promise<boolean> {
  const first = await ledger.putIfAbsent({ workflowId, run: proves }, proof, { run });
  return isJsonObject(first) && first['run'] === run;
}
