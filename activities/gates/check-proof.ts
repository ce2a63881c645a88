import type { ProofCheck, ProofsInput, SealedDecision } from '../../plan/people/gate-activities';
import { asManyAsFit } from '../as-many-as-fit';
import type { Toolbox } from '../toolbox';
import { countsFor } from './used-proofs';

/**
 * Whether a decision is sealed by the person that it names, for this run and no earlier one of its id. A repeated question gets the same
 * answer.
 */
async function checkProof(toolbox: Pick<Toolbox, 'seals' | 'ledger'>, { sealed, proof, run }: SealedDecision): Promise<ProofCheck> {
  const problem = await toolbox.seals.check(sealed, proof);
  if (problem !== undefined) return { problem };
  if (await countsFor(toolbox, { workflowId: sealed.run, run }, 'decision-proofs', proof.mac)) return {};
  return { problem: 'its proof has counted in an earlier run of this id: look at the gate, and decide again' };
}

/** Checks many decisions: the first of them, as many as there is time for. */
export function checkProofs(toolbox: Pick<Toolbox, 'seals' | 'ledger'>, { proofs }: ProofsInput): Promise<ProofCheck[]> {
  return asManyAsFit(
    proofs,
    (one) => checkProof(toolbox, one),
    (message) => ({ problem: `it could not be checked: ${message}` }),
  );
}
