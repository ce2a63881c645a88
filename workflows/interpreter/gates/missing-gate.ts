import { defined } from '../../../plan/defined';
import { type SignalPayload, VOTE_TYPE } from '../../../plan/run/signal';
import type { StepState } from '../../../plan/run/step-state';
import { type Address, isWithin, shortAddress } from '../../../plan/steps/address';
import type { ControlStep } from '../../../plan/steps/control';
import type { AskedVote } from '../../../plan/steps/keeps';
import { mayOpenGate } from '../../../plan/steps/opens-gate';
import { runsInTurns } from '../../../plan/steps/walk';
import type { NotApplied } from '../inbound/planned-command';
import type { Run } from '../run';
import { type PlanPosition, stepIdAt } from '../scheduling/place';
import { askedVoteOf, childStateOf } from '../state/kind-state';
import type { ClosedGate } from './gate-record';

/** The reply to an answer without an open gate: that it is too late, too early, or ambiguous. */

/** An answer that names a step. */
export function refuseWithoutGate(run: Run, address: Address, round: number | undefined, payload: SignalPayload): NotApplied {
  const path = shortAddress({ path: address.path, round: 1, try: 1 });
  if (isWithinChild(run, path)) return { outcome: 'late', reason: `the gate ${path} is not open: it is closed, or has not opened yet` };
  if (!standsAt(run, address)) return { outcome: 'misdirected', reason: `there is no step "${path}"` };
  return closedOrEarly(run, path, round, payload);
}

/** No gate is open and none was named. */
export function signalWithoutGate(run: Run, payload: SignalPayload): NotApplied {
  if (payload.type === VOTE_TYPE) return withoutBallot(run, payload);
  const last = closedGates(run).at(-1);
  if (last && !awaitsGate(run)) return lateFor(run, last, payload);
  if (awaitsGate(run)) return { outcome: 'early', reason: 'no gate is open yet; decide once it is open' };
  return { outcome: 'late', reason: 'no gate is open and none will open' };
}

function closedOrEarly(run: Run, path: string, round: number | undefined, payload: SignalPayload): NotApplied {
  const isMeant = (full: string): boolean => full === path || full.endsWith(`/${path}`);
  const closed = closedGates(run).findLast((gate) => isMeant(gate.step) && (round === undefined || gate.round === round));
  const record = run.state.records[path] ?? run.state.records[closed?.step ?? ''] ?? NOTHING_YET;
  const standing = run.steps.get(stepIdAt(path));
  const openAgain = record.state === 'pending' || record.state === 'running';
  if (closed && (!openAgain || closed.round === record.round || round !== undefined)) return lateFor(run, closed, payload);
  // A decision may still be asked for once its rounds are over.
  const vote = payload.type === VOTE_TYPE || !openAgain ? voteThatIsOver(run, isMeant) : undefined;
  if (vote !== undefined) return { outcome: 'late', reason: vote };
  if (openAgain && standing && mayOpenGate(standing.step, run.plan) && mayRun(run, standing)) {
    return {
      outcome: 'early',
      reason: `the gate of ${run.name(path)} is not open yet; decide once it is open`,
    };
  }
  const how = record.state === 'pending' ? 'has not started' : `is ${record.state}`;
  const open = payload.type === VOTE_TYPE ? 'no vote is open there' : 'no gate is open';
  return { outcome: 'misdirected', reason: `${run.name(path)} ${how}; ${open}` };
}

const NOTHING_YET = { state: 'pending', round: 1 } as const;

/** Gates that take no answer any more, including those whose step has not continued yet. */
function closedGates(run: Run): ClosedGate[] {
  const decided = Object.entries(run.state.records).flatMap(([step, { asked: { gate } = {}, round }]): ClosedGate[] => {
    if (!gate?.decision) return [];
    const { by, choice } = gate.decision;
    return [{ step, round, why: 'decided', choice, ...defined({ by }) }];
  });
  return [...run.state.closedGates, ...decided];
}

function lateFor(run: Run, closed: ClosedGate, payload: SignalPayload): NotApplied {
  const label = closed.round > 1 ? `${closed.step}#${closed.round}` : closed.step;
  if (closed.why === 'superseded') return { outcome: 'late', reason: `the gate of ${label} was closed: its round is superseded` };
  if (closed.why === 'decided' && closed.by !== undefined && closed.by === payload.by) {
    return { outcome: 'duplicate', reason: `${closed.by} has already decided on ${label}: ${closed.choice ?? ''}` };
  }
  return { outcome: 'late', reason: `the gate of ${label} is closed, ${howClosed(run, closed)}` };
}

function howClosed(run: Run, { step, why, by, choice }: ClosedGate): string {
  if (why === 'timed-out') return 'its time ran out';
  if (why === 'decided') return `${by ?? 'someone'} decided: ${choice ?? ''}`;
  const [, container = '', turn] = OF_TURN.exec(step) ?? [];
  const asked = askedVoteOf(run.state.records[container]);
  if (!asked) return 'its step was called off';
  return asked.turn === Number(turn) ? `the vote is over: ${whoHasDecided(run, container, asked)}` : 'its round of the vote is over';
}

/** A vote that names no ballot while none is open. */
function withoutBallot(run: Run, { by }: SignalPayload): NotApplied {
  const over = voteThatIsOver(run, (_, { voters }) => voters.some((name) => name === by));
  if (over !== undefined) return { outcome: 'late', reason: `no vote is open: ${over}` };
  return awaitsGate(run) ? { outcome: 'early', reason: 'no vote is open yet' } : { outcome: 'misdirected', reason: 'no vote is open' };
}

/** The last vote that is over, of those that are meant, and how it ended. */
function voteThatIsOver(run: Run, isMeant: (path: string, vote: AskedVote) => boolean): string | undefined {
  const over = Object.entries(run.state.records).flatMap(([path, record]) => {
    const vote = askedVoteOf(record);
    return vote?.isOver && isMeant(path, vote) ? [{ path, vote }] : [];
  });
  const last = over.at(-1);
  if (!last) return undefined;
  const { path, vote } = last;
  const which = vote.rounds > 1 ? `round ${vote.round} of the vote` : 'the vote';
  return `${which} of ${run.name(path)} is over: ${whoHasDecided(run, path, vote)}`;
}

/** The people who have voted, and the one who has decided since what follows from the vote. */
function whoHasDecided(run: Run, container: string, vote: AskedVote): string {
  const decided = closedGates(run).findLast(({ step, why }) => step === container && why === 'decided');
  return `${vote.votes}${decided ? `; then ${decided.by ?? 'someone'} decided: ${decided.choice ?? ''}` : ''}`;
}

/** A part's path: the container, and the turn. */
const OF_TURN = /^(.*)\[(\d+)\]\/[^/]+$/;

/** What closed a gate after it was found; undefined if that is not known here. */
export function whoWasFirst(run: Run, path: string): string | undefined {
  const closed = closedGates(run).findLast(({ step }) => step === path);
  return closed && howClosed(run, closed);
}

function awaitsGate(run: Run): boolean {
  for (const standing of run.steps.values()) if (mayOpenGate(standing.step, run.plan) && mayRun(run, standing)) return true;
  return false;
}

/** Whether a step is still to come or in progress, at any depth. */
function mayRun(run: Run, { step, container }: PlanPosition): boolean {
  const states = statesOf(run, step.id, container !== undefined);
  if (states.some((state) => state === 'pending' || state === 'running')) return true;
  // A loop may have further iterations, and finished ones left no record.
  const isOver = states.length > 0 && !isInLoop(container);
  return !isOver && (container === undefined || mayRun(run, container));
}

function statesOf({ state: { records } }: Run, id: string, isNested: boolean): StepState[] {
  if (!isNested) return records[id] ? [records[id].state] : [];
  return Object.entries(records).flatMap(([path, { state }]) => (stepIdAt(path) === id ? [state] : []));
}

function isInLoop(container: PlanPosition | undefined): boolean {
  for (let around = container; around; around = around.container) if (runsInTurns<ControlStep>(around.step)) return true;
  return false;
}

/** Whether an address, of which the outer segments may have been left out, leads into a child pipeline. */
function isWithinChild({ state: { records } }: Run, path: string): boolean {
  return Object.entries(records).some(([outer, record]) => {
    const ids = childStateOf(record) ? outer.split('/') : [];
    return ids.some((_, i) => isWithin(path, ids.slice(i).join('/')));
  });
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
