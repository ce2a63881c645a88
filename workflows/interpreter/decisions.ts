import { parseAddress, stepIdOf } from '../../plan/address';
import type { ControlStep } from '../../plan/control';
import { type Decision, GATE_CHOICES } from '../../plan/gate';
import type { SignalPayload } from '../../plan/signal';
import { gateSleeper, openGates } from './gates';
import type { NotApplied, Planned, Via } from './inbound';
import type { Interpreter } from './interpreter';
import type { Run } from './run';
import type { ClosedGate, GateRecord } from './state';

interface OpenGate {
  step: ControlStep;
  gate: GateRecord;
}

/** What a decision would do: which gate it is for, whether it may decide there, and with which choice. */
export function planDecision(it: Interpreter, name: 'approve' | 'reject' | 'respond', payload: SignalPayload, via: Via): Planned {
  const { run } = it;
  const found = gateFor(run, payload);
  if ('outcome' in found) return found;
  const { step, gate } = found;
  const label = run.name(step.id);
  const choice = choiceOf(name, payload);
  if (choice === undefined) return { outcome: 'unreadable', reason: 'respond needs a response' };
  if (!GATE_CHOICES[gate.kind].includes(choice)) {
    return { outcome: 'refused', reason: `${label} takes ${GATE_CHOICES[gate.kind].join(', ')}, not "${choice}"` };
  }
  const { by } = payload;
  if (gate.approvers && (by === undefined || !gate.approvers.includes(by))) {
    const who = by === undefined ? 'nobody is named' : `${by} may not decide on ${label}`;
    return { outcome: 'refused', reason: `${who}; approvers: ${gate.approvers.join(', ')}` };
  }
  const decision: Decision = {
    choice,
    at: new Date(run.ctx.now()).toISOString(),
    via,
    identity: 'claimed',
    shownSha256: gate.shownSha256,
    ...(by === undefined ? {} : { by }),
    ...(payload.comment === undefined ? {} : { comment: payload.comment }),
    ...(payload.value === undefined ? {} : { value: payload.value }),
  };
  return {
    step: label,
    apply: () => {
      gate.decision = decision;
      run.wake(gateSleeper(step.id));
    },
  };
}

function choiceOf(name: 'approve' | 'reject' | 'respond', payload: SignalPayload): string | undefined {
  if (name !== 'respond') return name;
  return typeof payload.response === 'string' ? payload.response : undefined;
}

/** The open gate that a payload names: the only one where it names none. */
function gateFor(run: Run, payload: SignalPayload): OpenGate | NotApplied {
  const open = openGates(run);
  if (payload.step === undefined) {
    const [only, second] = open;
    if (only && !second) return only;
    if (second)
      return {
        outcome: 'misdirected',
        reason: `several gates are open, name one: ${open.map(({ step }) => run.name(step.id)).join(', ')}`,
      };
    return withoutGate(run, payload);
  }
  const address = parseAddress(payload.step);
  if (!address) return { outcome: 'misdirected', reason: `"${payload.step}" is no address of a step` };
  const id = stepIdOf(address);
  const round = payload.step.includes('#') ? address.round : undefined;
  const match = open.find(({ step, record }) => step.id === id && (round === undefined || record.round === round));
  if (match) return match;
  if (!run.steps.has(id)) return { outcome: 'misdirected', reason: `there is no step "${id}"` };
  return closedOrEarly(run, id, round, payload);
}

/** No gate is open and none was named. */
function withoutGate(run: Run, payload: SignalPayload): NotApplied {
  const last = closedGates(run).at(-1);
  if (last && !awaitsGate(run)) return lateFor(last, payload);
  if (awaitsGate(run)) return { outcome: 'early', reason: 'no gate is open yet; decide when it has opened and shown what it is about' };
  return { outcome: 'late', reason: 'no gate is open and none will open' };
}

function closedOrEarly(run: Run, id: string, round: number | undefined, payload: SignalPayload): NotApplied {
  const record = run.record(id);
  const closed = closedGates(run).findLast((gate) => gate.step === id && (round === undefined || gate.round === round));
  const openAgain = record.state === 'pending' || record.state === 'running';
  if (closed && (!openAgain || closed.round === record.round || round !== undefined)) return lateFor(closed, payload);
  const kind = run.steps.get(id)?.kind;
  if (openAgain && (kind === 'approval' || kind === 'review')) {
    return {
      outcome: 'early',
      reason: `the gate of ${run.name(id)} is not open yet; decide when it has opened and shown what it is about`,
    };
  }
  return { outcome: 'misdirected', reason: `${run.name(id)} is ${record.state} and asks nobody` };
}

/** Gates that take no answer any more, those among them whose step has not gone on yet. */
function closedGates(run: Run): ClosedGate[] {
  const decided = Object.entries(run.state.records).flatMap(([step, { gate, round }]): ClosedGate[] => {
    if (!gate?.decision) return [];
    const { by, choice } = gate.decision;
    return [{ step, round, why: 'decided', choice, ...(by === undefined ? {} : { by }) }];
  });
  return [...run.state.closedGates, ...decided];
}

function lateFor(closed: ClosedGate, payload: SignalPayload): NotApplied {
  const label = closed.round > 1 ? `${closed.step}#${closed.round}` : closed.step;
  if (closed.why === 'superseded') return { outcome: 'late', reason: `the gate of ${label} was closed: its round is superseded` };
  if (closed.why === 'decided' && closed.by !== undefined && closed.by === payload.by) {
    return { outcome: 'duplicate', reason: `${closed.by} has already decided on ${label}: ${closed.choice ?? ''}` };
  }
  const how = closed.why === 'timed-out' ? 'its time ran out' : `${closed.by ?? 'someone'} decided: ${closed.choice ?? ''}`;
  return { outcome: 'late', reason: `the gate of ${label} is closed, ${how}` };
}

function awaitsGate(run: Run): boolean {
  for (const step of run.steps.values()) {
    if (step.kind !== 'approval' && step.kind !== 'review') continue;
    const state = run.state.records[step.id]?.state ?? 'pending';
    if (state === 'pending' || state === 'running') return true;
  }
  return false;
}
