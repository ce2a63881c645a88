import { type SignalPayload, VOTE_TYPE } from '../../../plan/run/signal';
import { parseAddress, shortAddress } from '../../../plan/steps/address';
import type { NotApplied } from '../inbound/planned-command';
import type { Run } from '../run';
import { childStateOf } from '../state/kind-state';
import { type ChildGate, childGates, gateViews, type OpenGate, openGates } from './gate-view';
import { refuseWithoutGate, signalWithoutGate, whoWasFirst } from './missing-gate';

/** Which open gate an answer is for: the run's own, or one of a child pipeline. */
export type FoundGate = OpenGate | ChildGate;

/** The open gate that a payload names: the only one if it names none. */
export function gateFor(run: Run, payload: SignalPayload): FoundGate | NotApplied {
  const all: FoundGate[] = [...openGates(run), ...childGates(run)];
  // A vote is an answer to a ballot alone: a later or parallel question is another one.
  const open = payload.type === VOTE_TYPE ? all.filter(isBallot) : all;
  const named = payload.step;
  if (named === undefined) {
    const [only, second] = open;
    if (only && !second) return only;
    if (second) return { outcome: 'misdirected', reason: `several gates are open, name one: ${namesOf(run)}` };
    return signalWithoutGate(run, payload);
  }
  const label = (gate: FoundGate) => gateLabel(run, gate);
  const asListed = open.find((gate) => label(gate) === named);
  if (asListed) return asListed;
  const address = parseAddress(named);
  if (!address) return { outcome: 'misdirected', reason: `"${named}" is not the address of a step` };
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
  return refuseWithoutGate(run, address, round, payload);
}

function isBallot(gate: FoundGate): boolean {
  return ('view' in gate ? gate.view.ballot : gate.gate.ballot) !== undefined;
}

/** The gate as lists name it. */
export function gateLabel(run: Run, gate: FoundGate): string {
  return 'view' in gate ? gate.view.step : run.name(gate.path);
}

/** Why it takes no answer any more, if something came first since it was found. */
export function whyClosed(run: Run, found: FoundGate): NotApplied | undefined {
  if (isCancelled(run, found.path)) return { outcome: 'late', reason: `the gate of ${gateLabel(run, found)} is closed: the run is ending` };
  const record = run.state.records[found.path];
  const open =
    'view' in found
      ? !childStateOf(record)?.ended && childStateOf(record)?.gates.some(({ step, shownSha256 }) => isSame(found, step, shownSha256))
      : record?.asked?.gate === found.gate && !found.gate.decision;
  if (open) return undefined;
  return {
    outcome: 'late',
    reason: `the gate of ${gateLabel(run, found)} is closed: ${whoWasFirst(run, found.path) ?? 'somebody else was first'}`,
  };
}

/** Gates in `finally` still ask while the run ends; all others do not. */
function isCancelled({ ending, state, plan }: Run, path: string): boolean {
  if (ending && ending.kind !== 'continue') return true;
  if (!state.closing) return false;
  const outer = /^[^/[]+/.exec(path)?.[0];
  return !plan.finally?.steps.some(({ id }) => id === outer);
}

function isSame({ step, view }: ChildGate, otherStep: string, shownSha256: string): boolean {
  return step === otherStep && view.shownSha256 === shownSha256;
}

function namesOf(run: Run): string {
  return gateViews(run)
    .map(({ step }) => step)
    .join(', ');
}
