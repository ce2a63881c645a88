import type { ProofCheck, ProofInput } from '../../plan/people/gate-activities';
import type { Toolbox } from '../toolbox';

/** Whether a decision is sealed by who it names. It has no effect to repeat, so it needs no record in the ledger. */
export async function checkProof({ seals }: Toolbox, { sealed, proof }: ProofInput): Promise<ProofCheck> {
  const problem = await seals.check(sealed, proof);
  return problem === undefined ? {} : { problem };
}
