import type { ProofCheck, ProofsInput, SealedDecision } from '../../plan/people/gate-activities';
import { asManyAsFit } from '../as-many-as-fit';
import type { Toolbox } from '../toolbox';

/** Whether a decision is sealed by who it names. It has no effect to repeat, so it needs no record in the ledger. */
export async function checkProof({ seals }: Pick<Toolbox, 'seals'>, { sealed, proof }: SealedDecision): Promise<ProofCheck> {
  const problem = await seals.check(sealed, proof);
  return problem === undefined ? {} : { problem };
}

/** The same of many; of the first of them, as many as there is time for. */
export function checkProofs(toolbox: Pick<Toolbox, 'seals'>, { proofs }: ProofsInput): Promise<ProofCheck[]> {
  return asManyAsFit(
    proofs,
    (one) => checkProof(toolbox, one),
    (message) => ({ problem: `it could not be checked: ${message}` }),
  );
}
