import { parseAddress, shortAddress } from '../../plan/address';
import type { Decision, GateView } from '../../plan/gate';
import type { SignalPayload } from '../../plan/signal';
import { planChildDecision } from './children';
import { decisionOf } from './decision-of';
import { childGates, choicesOf, gateViews, type OpenGate, openGates } from './gate-view';
import { gateSleeper } from './gates';
import type { NotApplied, Planned, Via } from './inbound';
import type { Interpreter } from './interpreter';
import { noGateAt, withoutGate } from './no-gate';
import { planResponse } from './responses';
import type { Run } from './run';
import type { GateRecord } from './state';

/** What a decision would do: which gate it is for, whether it may decide there, and with which choice. */
export function planDecision(it: Interpreter, name: 'approve' | 'reject' | 'respond', payload: SignalPayload, via: Via): Planned {
  const { run } = it;
  const found = gateFor(run, payload);
  if ('outcome' in found) return found;
  const gate = 'view' in found ? found.view : found.gate;
  const label = labelOf(run, found);
  const barred = whyBarred(gate, label, payload.by);
  if (barred) return barred;
  if (gate.kind === 'input') {
    if (name !== 'respond') return { outcome: 'refused', reason: `${label} wants an answer: send respond` };
    return 'view' in found ? planChildDecision(it, found, name, payload) : planResponse(it, found, payload, via);
  }
  const choice = choiceOf(name, payload);
  if (choice === undefined) return { outcome: 'unreadable', reason: 'respond needs a response' };
  if (!choicesOf(gate).includes(choice)) {
    return { outcome: 'refused', reason: `${label} takes ${choicesOf(gate).join(', ')}, not "${choice}"` };
  }
  return 'view' in found
    ? planChildDecision(it, found, name, payload)
    : planChoice(it, found, decisionOf(run, found.gate, choice, payload, via));
}

function planChoice(it: Interpreter, found: OpenGate, decision: Decision): Planned {
  const { run } = it;
  const { path, gate } = found;
  const label = run.name(path);
  if (decision.choice === 'approve' && gate.quorum !== undefined) return planVote(it, found, decision, label);
  return {
    step: label,
    apply: () => {
      gate.decision = decision;
      run.wake(gateSleeper(path));
    },
  };
}

/** One approval of several: the last that is needed decides. */
function planVote(it: Interpreter, { path, gate }: OpenGate, decision: Decision, label: string): Planned {
  const { run } = it;
  const { by } = decision;
  if (by === undefined) return { outcome: 'refused', reason: `${label} needs ${gate.quorum} people: say who you are` };
  if (gate.approvals?.some((other) => other.by === by)) {
    return { outcome: 'duplicate', reason: `${by} has already approved ${label}` };
  }
  return {
    step: label,
    apply: () => {
      const approvals = [...(gate.approvals ?? []), decision];
      gate.approvals = approvals;
      if (approvals.length < (gate.quorum ?? 1)) {
        run.journal.add({ kind: 'decision', step: label, decision });
        it.changed('gates');
        return;
      }
      gate.decision = decision;
      run.wake(gateSleeper(path));
    },
  };
}

/** What a gate of a child does not say of itself the child will. */
function whyBarred(
  gate: Pick<GateView, 'approvers'> & Pick<GateRecord, 'notBy'>,
  label: string,
  by: string | undefined,
): NotApplied | undefined {
  if (gate.approvers && (by === undefined || !gate.approvers.includes(by))) {
    const who = by === undefined ? 'nobody is named' : `${by} may not decide on ${label}`;
    return { outcome: 'refused', reason: `${who}; approvers: ${gate.approvers.join(', ')}` };
  }
  if (!gate.notBy) return undefined;
  if (by === undefined) return { outcome: 'refused', reason: `${label} needs a second person: say who you are` };
  if (!gate.notBy.includes(by)) return undefined;
  return { outcome: 'refused', reason: `${by} may not decide on ${label}: it needs somebody else` };
}

function choiceOf(name: 'approve' | 'reject' | 'respond', payload: SignalPayload): string | undefined {
  if (name !== 'respond') return name;
  return typeof payload.response === 'string' ? payload.response : undefined;
}

function labelOf(run: Run, gate: FoundGate): string {
  return 'view' in gate ? gate.view.step : run.name(gate.path);
}

type FoundGate = OpenGate | ReturnType<typeof childGates>[number];

/** The open gate that a payload names: the only one where it names none. */
function gateFor(run: Run, payload: SignalPayload): FoundGate | NotApplied {
  const open: FoundGate[] = [...openGates(run), ...childGates(run)];
  if (payload.step === undefined) {
    const [only, second] = open;
    if (only && !second) return only;
    if (second) return { outcome: 'misdirected', reason: `several gates are open, name one: ${namesOf(run)}` };
    return withoutGate(run, payload);
  }
  const named = payload.step;
  const address = parseAddress(named);
  if (!address) return { outcome: 'misdirected', reason: `"${named}" is no address of a step` };
  const label = (gate: FoundGate) => labelOf(run, gate);
  const exact = open.find((gate) => label(gate) === shortAddress({ ...address, try: 1 }));
  if (exact) return exact;
  const path = shortAddress({ path: address.path, round: 1, try: 1 });
  const round = named.includes('#') ? address.round : undefined;
  const fits = open.filter((gate) => {
    const [own, ofRound] = label(gate).split('#');
    return (own === path || own?.endsWith(`/${path}`)) && (round === undefined || Number(ofRound ?? 1) === round);
  });
  const [match, another] = fits;
  if (match && !another) return match;
  if (another) return { outcome: 'misdirected', reason: `"${named}" could be ${fits.map(label).join(' or ')}` };
  return noGateAt(run, address, round, payload);
}

function namesOf(run: Run): string {
  return gateViews(run)
    .map(({ step }) => step)
    .join(', ');
}
