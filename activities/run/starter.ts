import { ANY_CHAT, CHAT_NAMES } from '../../plan/people/chats';
import type { Proof, ProofChannel } from '../../plan/people/proof';
import { claimedStarter, readStarter, type Starter } from '../../plan/people/starter';
import { ThermidorFailure } from '../../plan/run/failure';
import type { OpenRunInput } from '../../plan/run/run-activities';
import type { RunInput } from '../../plan/run/run-input';
import { isJsonObject } from '../../plan/text/json';
import type { RunKey } from '../../records/ledger';
import { countsFor } from '../gates/used-proofs';
import type { Toolbox } from '../toolbox';
import type { TakenOrder } from './child-order';
import { LONGEST_NAME, UNSEEN } from './run-input';

/**
 * Who started a run, as recorded when the run opens. Anybody who may start a workflow writes its input, so a name in it is a claim, and so
 * is the schedule that a search attribute names.
 *
 * Invariants: 1. only a seal with the person's own token, or the listener's for a chat that proves the sender, makes a starter `proven`,
 * and for a child that of its parent; 2. a seal counts for one execution of one workflow id, with exactly the input that it seals; 3. an
 * invalid seal refuses the run: it never becomes a claim. Fails with `start.unproven`, `secret.missing`, `store.unavailable`.
 */
export async function starterOf(
  toolbox: Toolbox,
  key: RunKey,
  wanted: Pick<RunInput, 'startedBy' | 'proof'>,
  opening: OpenRunInput,
): Promise<Starter | undefined> {
  const { startedBy, proof } = wanted;
  if (proof) return await provenStarter(toolbox, key, { startedBy, proof }, opening);
  if (opening.scheduledBy !== undefined) return { kind: 'schedule', schedule: shownName(opening.scheduledBy) };
  return startedBy === undefined ? undefined : claimedStarter(startedBy);
}

/**
 * A child pipeline's starter is its parent's, from the parent's ledger. The parent orders it once: for another execution with the same
 * order the name is a claim, because anybody may have started that.
 */
export async function inheritedStarter(
  { ledger }: Toolbox,
  key: RunKey,
  { startedBy, parent }: Pick<TakenOrder, 'startedBy' | 'parent'>,
): Promise<Starter | undefined> {
  const starter = readStarter(startedBy);
  if (!parent || starter?.kind !== 'person' || starter.identity !== 'proven') return starter;
  const order = [parent.workflowId, parent.run ?? '', parent.step].join('/');
  return (await countsFor({ ledger }, key, 'start-proofs', order)) ? starter : claimedStarter(starter.name);
}

/** Anybody who starts a run may set the attribute to any text. */
function shownName(text: string): string {
  return [...text]
    .filter((character) => !UNSEEN.test(character))
    .join('')
    .slice(0, LONGEST_NAME);
}

/** How far the moment of a seal may be from the server's moment of the start: their clocks differ, and the request takes time. */
const SEAL_AGE_MS = 5 * 60_000;
/** A person's own token, and the chats that prove a person's id. */
const PROVE_STARTS: readonly ProofChannel[] = ['console', ...CHAT_NAMES];

async function provenStarter(
  { seals, ledger }: Toolbox,
  key: RunKey,
  { startedBy, proof }: { startedBy: string | undefined; proof: Proof },
  { input, workflowType, startedAt, namespace = '' }: OpenRunInput,
): Promise<Starter> {
  if (startedBy === undefined) throw unproven('the proof has no name: the input lacks "startedBy"');
  if (!PROVE_STARTS.includes(proof.channel)) throw unproven(`a start is proven by a token, ${ANY_CHAT}, not by ${proof.channel}`);
  const { proof: _proof, ...said } = isJsonObject(input) ? input : {};
  const problem = await seals.check(
    { kind: 'start', namespace, run: key.workflowId, pipeline: workflowType, by: startedBy, input: said },
    proof,
  );
  if (problem !== undefined) throw unproven(problem);
  const apartMs = Math.abs(Date.parse(startedAt ?? '') - Date.parse(proof.at));
  // An invalid moment is far from every other.
  if (!(apartMs <= SEAL_AGE_MS)) {
    throw unproven(`its proof was sealed at ${proof.at}, and the run started at ${startedAt}: more than 5 minutes apart`);
  }
  if (!(await countsFor({ ledger }, key, 'start-proofs', proof.mac)))
    throw unproven('its proof has already started another run of this id');
  return { kind: 'person', name: startedBy, identity: 'proven' };
}

function unproven(problem: string): ThermidorFailure {
  return new ThermidorFailure('start.unproven', `the starter of this run is not proven: ${problem}`);
}
