import { defined } from '../../../plan/defined';
import type { ProofCheck, SealedDecision } from '../../../plan/people/gate-activities';
import type { Proof } from '../../../plan/people/proof';
import { ThermidorFailure } from '../../../plan/run/failure';
import type { SignalName, SignalPayload } from '../../../plan/run/signal';
import { parseAddress, shortAddress } from '../../../plan/steps/address';
import { type CheckKind, checkTogether } from '../inbound/check-together';
import type { NotApplied, PlannedCommand } from '../inbound/planned-command';
import type { Interpreter } from '../interpreter';
import type { Run } from '../run';
import { QUICK_ACTIVITY_MS, SHORT_ACTIVITY_MS } from '../steps/activity-timeouts';
import { type FoundGate, gateLabel } from './find-gate';
import { policyAt } from './gate-policy';

/**
 * Whether an answer is from the person it names. The seal covers the run and the gate as the sender saw them, and the whole digest of what
 * was shown; an activity checks it.
 *
 * A gate of a child pipeline is mostly seen and answered at its parent, so a seal may name the parent's run and the gate's longer address
 * there. The parent passes the sealed answer on unchanged, with the run that it was sealed for, and the child checks it again, for itself:
 * it believes no claim of an earlier check, because anybody who may send signals could make one.
 *
 * Invariants: 1. a seal counts for the gate's own run, or for a parent of it under the gate's address there, and for nothing else;
 * 2. it counts once, in one run of an id, and not for a gate that opened after it was made: the gate of another try may show the very same;
 * 3. only the seal makes an identity `proven`; 4. a bad seal is refused, also where none is needed.
 */
export function proveFirst(
  it: Interpreter,
  found: FoundGate,
  name: SignalName,
  payload: SignalPayload,
  sealedFor: string | undefined,
  plan: () => PlannedCommand,
): PlannedCommand {
  const planned = plan();
  const { proof } = payload;
  if ('outcome' in planned || (!proof && !planned.check)) return planned;
  const check = planned.check;
  const { run } = it;
  const one = proof && (whyStale(run, found, proof) ?? sealOf(run, found, name, payload, proof, sealedFor));
  if (one && 'outcome' in one) return one;
  return {
    ...planned,
    ...(one ? { check: async () => (await whyForged(run, gateLabel(run, found), one)) ?? (await check?.()) } : {}),
    // What was planned before the check may not hold any more.
    still: () => {
      const again = plan();
      if ('outcome' in again) return again;
      return proof && whyStale(run, found, proof);
    },
    apply: () => {
      const again = plan();
      if ('outcome' in again) return;
      if (proof) run.state.seals = [...(run.state.seals ?? []), proof.mac].slice(-SEALS_KEPT);
      again.apply();
    },
  };
}

const SEALS_KEPT = 1000;
/** How much the sealer's clock may be behind. */
const CLOCKS_APART_MS = 30_000;

function whyStale(run: Run, found: FoundGate, { at, mac }: Proof): NotApplied | undefined {
  const label = gateLabel(run, found);
  const openedAtMs = 'view' in found ? Date.parse(found.view.openedAt) : found.gate.openedAtMs;
  const sealedAtMs = Date.parse(at);
  if (Number.isNaN(sealedAtMs)) return { outcome: 'unreadable', reason: 'the "at" of a proof must be a moment in ISO 8601' };
  if (run.state.seals?.includes(mac))
    return { outcome: 'duplicate', reason: `the proof has already been used for ${label} or another gate` };
  if (sealedAtMs + CLOCKS_APART_MS >= openedAtMs) return undefined;
  return { outcome: 'refused', reason: `the proof was sealed before ${label} opened: look at the gate, and decide again` };
}

function sealOf(
  run: Run,
  found: FoundGate,
  name: SignalName,
  { by, comment, value, response, to }: SignalPayload,
  proof: Proof,
  sealedFor = run.ctx.info.workflowId,
): SealedDecision | NotApplied {
  const { label, shownSha256 } = policyAt(run, found);
  const at = gateAt(run, sealedFor, label);
  if (!at) return { outcome: 'refused', reason: `the proof is sealed for ${sealedFor}, which has no gate ${label}` };
  if (by === undefined) return { outcome: 'unreadable', reason: 'a proof needs "by": the person that it proves' };
  const sealed = { run: sealedFor, name, step: at.step, by, shown: shownSha256, ...defined({ comment, value, response, to }) };
  return { sealed, proof, run: at.run };
}

/** What a gate of this run is called at the run itself, or at a parent of it, and the first execution of that. */
function gateAt(run: Run, workflowId: string, label: string): { step: string; run: string } | undefined {
  const { info } = run.ctx;
  if (workflowId === info.workflowId) return { step: label, run: info.firstRunId };
  let step = label;
  for (let above = run.parent; above; above = above.parent) {
    const address = parseAddress(above.step);
    step = `${address ? shortAddress({ ...address, try: 1 }) : above.step}/${step}`;
    if (above.workflowId === workflowId) return { step, run: above.run };
  }
  return undefined;
}

async function whyForged(run: Run, label: string, one: SealedDecision): Promise<NotApplied | undefined> {
  try {
    const checked = await checkTogether(run, PROOFS, one);
    return 'outcome' in checked ? checked : unproven(label, one, checked);
  } catch (error) {
    return unchecked(label, one, error);
  }
}

/** Local: anybody who reaches the server can complete any other activity by hand, and so prove anything. */
const PROOFS: CheckKind<SealedDecision, ProofCheck> = {
  most: 500,
  perform: (run, proofs) =>
    run.ctx.activity(
      'checkProofs',
      { run: run.ctx.info.firstRunId, proofs },
      { local: true, kept: true, startToCloseMs: SHORT_ACTIVITY_MS, scheduleToCloseMs: QUICK_ACTIVITY_MS },
    ),
};

function unproven(label: string, { sealed }: SealedDecision, { problem }: ProofCheck): NotApplied | undefined {
  if (problem === undefined) return undefined;
  return { outcome: 'refused', reason: `the answer of ${sealed.by} to ${label} is not proven: ${problem}` };
}

function unchecked(label: string, { sealed }: SealedDecision, error: unknown): NotApplied {
  if (!(error instanceof ThermidorFailure)) throw error;
  return { outcome: 'unavailable', reason: `the proof of ${sealed.by} for ${label} could not be checked: ${error.message}` };
}
