import { signalOf } from '../../../kinds/questions';
import { traitsOf } from '../../../kinds/traits';
import type { ControlStep } from '../../../plan/steps/control';
import { waitsForSlot } from '../agents/spawned-agents';
import { accountAt, covers } from '../budget/accounts';
import { openEntries } from '../context/open-entries';
import type { GateRecord } from '../gates/gate-record';
import { delegatesAtGate } from '../gates/gate-view';
import { ticketsAt } from '../merging/open-tickets';
import type { Run } from '../run';
import { calledBy } from '../scheduling/calls';
import { pausedFor } from '../scheduling/exclusive-turn';
import { isContainerPlace, stepIdAt } from '../scheduling/place';
import { childStateOf, loopStateOf } from '../state/kind-state';
import { type StepRecord, unansweredGate } from '../state/step-record';
import { awaitedOfKind } from './kind-views';

/** What a step waits for, in the words of people. Undefined: its own work, or nothing. */
export function waitsFor(run: Run, path: string, step: ControlStep, record: StepRecord): string | undefined {
  const gate = unansweredGate(record);
  if (gate) return gateWaitsFor(run, gate);
  if ([...run.lacking.values()].some((lacking) => lacking.path === path)) return budgetWaitOf(run, path);
  if (record.state === 'running' && waitsForSlot(run, run.address(path)))
    return 'other agents of this pipeline: the limit of agents in flight is reached';
  if (record.state === 'held') return `an operator: ${record.tries?.held?.reason ?? ''}`;
  const child = childStateOf(record);
  if (child?.state === 'held' && !child.ended) return `an operator, in run ${child.workflowId}`;
  const { startsAtMs, work = [] } = record.attempt ?? {};
  if (startsAtMs !== undefined && work.length === 0 && record.state === 'running') return `try ${record.try} at ${iso(startsAtMs)}`;
  const pauseEndsAtMs = wakesAtMs(record) ?? loopStateOf(record)?.resumeAtMs;
  if (pauseEndsAtMs !== undefined && (record.state === 'running' || record.state === 'waiting')) {
    return traitsOf(step.kind).waits ? `until ${iso(pauseEndsAtMs)}` : `the pause to end at ${iso(pauseEndsAtMs)}`;
  }
  const store = storeWaitOf(record);
  if (store) return pauseOf(run, path, record) ?? store.what;
  const awaited = record.state === 'running' ? awaitedOfKind(step, record) : undefined;
  if (awaited !== undefined) return awaited;
  const called = calledBy(record);
  if (called !== undefined) return `the step ${called}, which it has called`;
  const signal = signalOf(step);
  if (signal !== undefined && record.state === 'waiting') return `the signal ${signal}`;
  const ticket = record.state === 'running' ? ticketsAt(run, path) : undefined;
  if (ticket !== undefined) return ticket;
  return pauseOf(run, path, record, isContainerPlace(step));
}

function budgetWaitOf(run: Run, path: string): string {
  const asking = run.index.live(run.state.records).find(([, { attempt }]) => {
    const account = attempt?.question?.account;
    return account !== undefined && covers(accountAt(run, account), path);
  });
  return asking ? `the budget that ${run.name(asking[0])} has asked for` : 'budget that others have reserved';
}

/** `isContainer`: its inner steps name the turn for which they wait. */
function pauseOf(run: Run, path: string, record: StepRecord, isContainer = false): string | undefined {
  if (run.state.paused && record.state === 'running') return 'the pause to end, after its running work';
  return isContainer ? undefined : otherTurn(run, path, record);
}

/**
 * A local activity, which the server does not list. It lasts only if the worker cannot reach the store, and then it does not matter whom a
 * pattern has asked, or which items are in progress.
 */
export function storeWaitOf(record: StepRecord): { what: string; sinceMs: number } | undefined {
  if (record.state !== 'running') return undefined;
  const decides = decidesSinceMs(record);
  if (decides !== undefined) return { what: 'its rule to decide', sinceMs: decides };
  const looks = loopStateOf(record)?.stream?.looksSinceMs;
  return looks === undefined ? undefined : { what: 'the new items of its stream', sinceMs: looks };
}

/** Since when a rule decides: the only local calls of a step are those of rules. */
function decidesSinceMs(record: StepRecord): number | undefined {
  for (const entry of openEntries(record)) if (entry.kind === 'call' && entry.localSinceMs !== undefined) return entry.localSinceMs;
  return undefined;
}

/** The end of a step's current pause. */
function wakesAtMs(record: StepRecord): number | undefined {
  for (const entry of openEntries(record)) if (entry.kind === 'sleep') return entry.atMs;
  return undefined;
}

function otherTurn(run: Run, path: string, record: StepRecord): string | undefined {
  const turn = pausedFor(run.state, { path });
  if (!turn) return undefined;
  const other = `the ${turn.kind} ${run.name(turn.path)}`;
  if (record.state === 'running') return `${other} to end, after its running work`;
  return record.state === 'pending' && turn.affected.includes(stepIdAt(path)) ? `${other}, which it is affected by` : undefined;
}

function gateWaitsFor(run: Run, gate: GateRecord): string {
  const { kind, approvers, quorum, approvals } = gate;
  if (kind === 'budget') return 'more budget: extend_budget, or abort';
  const who = approvers ? approvers.map((approver) => whoFills(run, gate, approver)).join(' or ') : 'a person';
  const left = quorum === undefined ? '' : ` (${approvals?.length ?? 0} of ${quorum})`;
  return kind === 'input' ? `an answer by ${who}` : `a decision by ${who}${left}`;
}

function whoFills(run: Run, gate: GateRecord, approver: string): string {
  const delegates = delegatesAtGate(run, gate)?.[approver] ?? [];
  if (delegates.length === 0) return approver;
  const handed = gate.handed !== undefined && Object.hasOwn(gate.handed, approver);
  return handed ? `${delegates.join(', ')} in place of ${approver}` : `${approver} (or ${delegates.join(', ')})`;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
