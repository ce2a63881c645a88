import { type Address, parseAddress, shortAddress } from '../../plan/address';
import type { Decision } from '../../plan/gate';
import type { SignalPayload } from '../../plan/signal';
import type { StepState } from '../../plan/status';
import { planChildDecision } from './children';
import { decisionOf } from './decision-of';
import { childGates, choicesOf, gateViews, type OpenGate, openGates } from './gate-view';
import { gateSleeper } from './gates';
import type { NotApplied, Planned, Via } from './inbound';
import type { Interpreter } from './interpreter';
import { type Standing, stepIdAt } from './place';
import { planResponse } from './responses';
import type { Run } from './run';
import type { ClosedGate, GateRecord } from './state';

/** What a decision would do: which gate it is for, whether it may decide there, and with which choice. */
export function planDecision(it: Interpreter, name: 'approve' | 'reject' | 'respond', payload: SignalPayload, via: Via): Planned {
  const { run } = it;
  const found = gateFor(run, payload);
  if ('outcome' in found) return found;
  if ('view' in found) return planChildDecision(it, found, name, payload);
  const { path, gate } = found;
  const label = run.name(path);
  const barred = whyBarred(gate, label, payload.by);
  if (barred) return barred;
  if (gate.kind === 'input') {
    if (name !== 'respond') return { outcome: 'refused', reason: `${label} wants an answer: send respond` };
    return planResponse(it, found, payload, via);
  }
  const choice = choiceOf(name, payload);
  if (choice === undefined) return { outcome: 'unreadable', reason: 'respond needs a response' };
  if (!choicesOf(gate).includes(choice)) {
    return { outcome: 'refused', reason: `${label} takes ${choicesOf(gate).join(', ')}, not "${choice}"` };
  }
  const decision = decisionOf(run, gate, choice, payload, via);
  if (choice === 'approve' && gate.quorum !== undefined) return planVote(it, found, decision, label);
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

function whyBarred(gate: GateRecord, label: string, by: string | undefined): NotApplied | undefined {
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
  const label = (gate: FoundGate) => ('view' in gate ? gate.view.step : run.name(gate.path));
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
  if (!standsAt(run, address)) return { outcome: 'misdirected', reason: `there is no step "${path}"` };
  return closedOrEarly(run, path, round, payload);
}

function namesOf(run: Run): string {
  return gateViews(run)
    .map(({ step }) => step)
    .join(', ');
}

/** No gate is open and none was named. */
function withoutGate(run: Run, payload: SignalPayload): NotApplied {
  const last = closedGates(run).at(-1);
  if (last && !awaitsGate(run)) return lateFor(last, payload);
  if (awaitsGate(run)) return { outcome: 'early', reason: 'no gate is open yet; decide when it has opened and shown what it is about' };
  return { outcome: 'late', reason: 'no gate is open and none will open' };
}

function closedOrEarly(run: Run, path: string, round: number | undefined, payload: SignalPayload): NotApplied {
  const isMeant = (full: string): boolean => full === path || full.endsWith(`/${path}`);
  const closed = closedGates(run).findLast((gate) => isMeant(gate.step) && (round === undefined || gate.round === round));
  const record = run.state.records[path] ?? run.state.records[closed?.step ?? ''] ?? NOTHING_YET;
  const standing = run.steps.get(stepIdAt(path));
  const openAgain = record.state === 'pending' || record.state === 'running';
  if (closed && (!openAgain || closed.round === record.round || round !== undefined)) return lateFor(closed, payload);
  if (openAgain && standing && mayAsk(run, standing.step.id) && mayRun(run, standing)) {
    return {
      outcome: 'early',
      reason: `the gate of ${run.name(path)} is not open yet; decide when it has opened and shown what it is about`,
    };
  }
  return { outcome: 'misdirected', reason: `${run.name(path)} is ${record.state} and asks nobody` };
}

const NOTHING_YET = { state: 'pending', round: 1 } as const;

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
  for (const standing of run.steps.values()) if (mayAsk(run, standing.step.id) && mayRun(run, standing)) return true;
  return false;
}

/** Whether a step is still to come or under way, wherever it stands. */
function mayRun(run: Run, { step, container }: Standing): boolean {
  const states = statesOf(run, step.id, container !== undefined);
  if (states.some((state) => state === 'pending' || state === 'running')) return true;
  // Of a loop further iterations may come, and those that have ended left no record.
  const isOver = states.length > 0 && !isInLoop(container);
  return !isOver && (container === undefined || mayRun(run, container));
}

function statesOf({ state: { records } }: Run, id: string, isNested: boolean): StepState[] {
  if (!isNested) return records[id] ? [records[id].state] : [];
  return Object.entries(records).flatMap(([path, { state }]) => (stepIdAt(path) === id ? [state] : []));
}

function isInLoop(container: Standing | undefined): boolean {
  for (let around = container; around; around = around.container) if (around.step.kind === 'for_each') return true;
  return false;
}

/** Whether a step could have an address, of which the outer segments may have been left out. */
function standsAt(run: Run, { path }: Address): boolean {
  let standing = run.steps.get(path.at(-1)?.id ?? '');
  for (const { id } of path.toReversed()) {
    if (standing?.step.id !== id) return false;
    standing = standing.container;
  }
  return true;
}

/** Whether a step of this kind can open a gate of its own accord. */
function mayAsk(run: Run, id: string): boolean {
  const step = run.steps.get(id)?.step;
  return step !== undefined && (ASKING.includes(step.kind) || step.approval !== undefined);
}
const ASKING: readonly string[] = ['approval', 'review', 'input', 'stages', 'pipeline'];
