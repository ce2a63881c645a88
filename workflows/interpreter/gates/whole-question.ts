import type { Decision, GateKind } from '../../../plan/people/gate';
import type { ControlStep } from '../../../plan/steps/control';
import { partId } from '../../../plan/steps/part-id';
import { hasParts } from '../../../plan/steps/walk';
import type { Run } from '../run';
import { containerPath, stepIdAt } from '../scheduling/place';
import type { StepRecord } from '../state/step-record';
import type { ClosedGate, FilledPlace, GateRecord } from './gate-record';

/**
 * A question with several gates: the ballots of a vote, and the levels of an escalation. An answer at one gate also counts at the others.
 *
 * Invariants: 1. in a vote everybody answers one ballot, whether in their own place or in another's, and nobody's place is filled at two;
 * 2. a person who has answered at one level answers at the next in the same place, or not at all: a second place needs another person;
 * 3. everything outside the question counts for nothing: other rounds, other proposals, other calls of an agent's tools.
 */
export type OtherGates =
  | { kind: 'ballots'; filled: readonly FilledPlace[]; named: readonly NamedBallot[] }
  | { kind: 'levels'; filled: readonly FilledPlace[] };

/** A ballot with the people who have a place at it. */
interface NamedBallot {
  gate: string;
  people: readonly string[];
}

export const ALONE: OtherGates = { kind: 'levels', filled: [] };

/** The answers at the other gates of an open gate's question. */
export function otherGatesOf(run: Run, path: string, gate: GateRecord): OtherGates {
  const ballots = ballotsWith(run, path);
  if (!ballots) {
    const { places = [] } = run.state.records[ownerOf(run, path, gate)]?.asked ?? {};
    return { kind: 'levels', filled: places.filter(({ ofCall }) => ofCall === gate.ofCall) };
  }
  const others = ballots.filter((ballot) => ballot.path !== path);
  return {
    kind: 'ballots',
    filled: others.flatMap(({ path: at, record: { asked = {} } }) => {
      const { decision } = asked.gate ?? asked;
      return decision ? placesOf(at, [decision]) : [];
    }),
    named: others.map(({ path: at, record, step }) => ({
      gate: at,
      people: [...(('approvers' in step && step.approvers) || []), ...Object.values(record.asked?.gate?.handed ?? {})],
    })),
  };
}

/** The place that makes an answer a second one; undefined if it is the first, or is given in the same place. */
export function secondPlace(others: OtherGates, by: string, of: string): FilledPlace | undefined {
  return others.kind === 'ballots'
    ? others.filled.find((one) => one.by === by || one.of === of)
    : others.filled.find((one) => one.by === by && one.of !== of);
}

/** What a closing gate leaves behind: who has answered in whose place, for as long as the question continues elsewhere. */
export function notePlaces(run: Run, path: string, gate: GateRecord, why: ClosedGate['why'], decision: Decision | undefined): void {
  if (!GO_UP.includes(gate.kind)) return;
  const owner = ownerOf(run, path, gate);
  const record = run.record(owner);
  const { ofCall } = gate;
  const { places = [], ...asked } = record.asked ?? {};
  // Refusing a call ends its question as well: the agent continues, and may ask for another.
  const isSettled = why === 'decided' && owner === path && (ofCall || decision?.choice !== 'reject');
  const others = places.filter((one) => one.ofCall !== ofCall);
  const answers = [...(gate.approvals ?? []).filter(({ by }) => by !== decision?.by), ...(decision ? [decision] : [])];
  const own = placesOf(path, answers).map((one) => (ofCall ? { ...one, ofCall } : one));
  const left = isSettled ? others : [...places, ...own].slice(-MOST_PLACES);
  if (left.length > 0) record.asked = { ...asked, places: left };
  else if (record.asked?.places) record.asked = asked;
}

/** Kinds of gates that may be taken to another gate. */
const GO_UP: readonly GateKind[] = ['approval', 'escalation'];
/** Far more than a vote has voters, over all its rounds. */
const MOST_PLACES = 500;

function placesOf(gate: string, answers: readonly Decision[]): FilledPlace[] {
  return answers.flatMap(({ by, inPlaceOf }) => (by === undefined ? [] : [{ gate, by, of: inPlaceOf ?? by }]));
}

/** The step of the question: for a part it is its container. */
function ownerOf(run: Run, path: string, gate: GateRecord): string {
  const container = containerPath(path);
  if (container === undefined || gate.ofCall) return path;
  const step = run.steps.get(stepIdAt(container))?.step;
  return step && hasParts<ControlStep>(step) ? container : path;
}

interface OpenBallot {
  path: string;
  record: StepRecord;
  step: ControlStep;
}

/**
 * The ballots of people in a path's turn of a vote. Undefined if it is none: the person who decides after all have abstained has no ballot.
 */
function ballotsWith(run: Run, path: string): OpenBallot[] | undefined {
  const container = containerPath(path);
  const vote = container === undefined ? undefined : run.steps.get(stepIdAt(container))?.step;
  if (!vote || !('voters' in vote)) return undefined;
  const ids = new Set(vote.voters.flatMap(({ part, kind }) => (kind === 'person' ? [partId(vote.id, part)] : [])));
  if (!ids.has(stepIdAt(path))) return undefined;
  const turn = path.slice(0, path.lastIndexOf('/'));
  return [...ids].flatMap((id) => {
    const at = `${turn}/${id}`;
    const record = run.state.records[at];
    const step = run.steps.get(id)?.step;
    return record && step ? [{ path: at, record, step }] : [];
  });
}
