import { signalOf } from '../../../kinds/questions';
import { traitsOf } from '../../../kinds/traits';
import type { BudgetView } from '../../../plan/budgets/budget';
import { addUsage, type Usage } from '../../../plan/budgets/usage';
import { defined } from '../../../plan/defined';
import type { RunMemo } from '../../../plan/run/run-memo';
import { type RoundView, type RunView, STATUS_PAGE, type StatusQuery, type StepView } from '../../../plan/run/status';
import { parseAddress, shortAddress } from '../../../plan/steps/address';
import type { ControlStep } from '../../../plan/steps/control';
import { waitsForSlot } from '../agents/spawned-agents';
import { type Account, runAccount, stepAccount, viewOf } from '../budget/accounts';
import { teamView } from '../caid/team-view';
import { decidesSinceMs, wakesAtMs } from '../context/attempt-log';
import { delegatesAtGate } from '../gates/delegates';
import type { GateRecord } from '../gates/gate-record';
import { gateViews } from '../gates/gate-view';
import { heldStepViews } from '../inbound/held-steps';
import { ticketsAt } from '../merging/open-tickets';
import { undeliveredOf } from '../messages/notification-outbox';
import type { Run } from '../run';
import { calledBy } from '../scheduling/calls';
import { isContainerPlace, stepIdAt } from '../scheduling/place';
import { pausedFor, swarmAtWork } from '../scheduling/swarm-pause';
import { iterationsOf } from '../state/iterations';
import { childStateOf, loopStateOf, teamStateOf } from '../state/kind-state';
import { runStateView } from '../state/run-state';
import type { InterpreterState } from '../state/state';
import { roundOf, type StepRecord, type SupersededRound } from '../state/step-record';
import { countSteps, type Listed, listSteps } from './listing';
import { awaitedOfPattern, patternViews } from './pattern-views';

/** What queries answer: the state of a run as people and programs read it. */

export function runView(run: Run, query: StatusQuery): RunView {
  const { info } = run.ctx;
  const offset = Math.max(0, query.offset ?? 0);
  const limit = Math.min(STATUS_PAGE, Math.max(0, query.limit ?? STATUS_PAGE));
  const { ending } = run;
  const undelivered = undeliveredOf(run);
  const held = heldStepViews(run);
  const usage = run.index
    .paid(run.state.records)
    .flatMap((record) => [...(record.superseded ?? []), record])
    .reduce<Usage | undefined>((sum, round) => addUsage(sum, round.usage), undefined);
  return {
    run: info.workflowId,
    runId: info.runId,
    firstRunId: info.firstRunId,
    pipeline: run.plan.name,
    state: runStateView(run),
    startedAt: iso(run.startedAtMs),
    plan: run.opened.planRef,
    args: run.opened.args,
    steps: pageOf(run, offset, limit),
    offset,
    totalSteps: countSteps(run),
    gates: gateViews(run),
    ...(held.length > 0 ? { held } : {}),
    ...(run.state.paused ? { paused: pausedView(run.state.paused) } : {}),
    ...pausedForSwarm(run),
    ...defined({ owner: run.plan.owner }),
    ...(run.opened.startedBy ? { startedBy: run.opened.startedBy } : {}),
    ...defined({ description: run.plan.description }),
    ...(run.state.endedAtMs === undefined ? {} : { endedAt: iso(run.state.endedAtMs) }),
    ...(run.opened.script ? { script: run.opened.script.name } : {}),
    ...(ending?.kind === 'failed' ? { error: errorOf(ending) } : {}),
    ...(ending?.kind === 'rejected' ? { reason: ending.reason } : {}),
    ...defined({ usage }),
    ...budgetOf(run, runAccount(run)),
    ...(undelivered.length > 0 ? { undelivered } : {}),
    ...defined({ raised: run.state.raised }),
  };
}

function pageOf(run: Run, offset: number, limit: number): StepView[] {
  const page: StepView[] = [];
  if (limit > 0) {
    for (const listed of listSteps(run, offset)) {
      page.push(stepView(run, listed));
      if (page.length === limit) break;
    }
  }
  return page;
}

function pausedForSwarm(run: Run): Pick<RunView, 'pausedForSwarm'> {
  const swarm = swarmAtWork(run.state);
  return swarm?.pausesOthers ? { pausedForSwarm: { step: run.name(swarm.path), since: iso(swarm.atMs) } } : {};
}

function pausedView({ atMs, ...rest }: NonNullable<InterpreterState['paused']>): NonNullable<RunView['paused']> {
  return { ...rest, ...(atMs === undefined ? {} : { since: iso(atMs) }) };
}

function errorOf(ending: { code: string; message: string; step?: string }): NonNullable<RunView['error']> {
  const { code, message, step } = ending;
  return { code, message, ...defined({ step }) };
}

/** Every step that is listed. */
export function stepViews(run: Run): StepView[] {
  return [...listSteps(run)].map((listed) => stepView(run, listed));
}

function stepView(run: Run, { path, step }: Listed): StepView {
  const record: StepRecord = run.state.records[path] ?? { state: 'pending', round: 1, try: 1 };
  const agent = 'agent' in step ? { agent: step.agent } : {};
  const waitingFor = waitsFor(run, path, step, record);
  const store = storeWaitOf(record);
  const loop = iterationsOf(record);
  const child = childStateOf(record);
  const team = teamStateOf(record);
  return {
    id: step.id,
    kind: step.kind,
    ...agent,
    ...roundView(path, roundOf(record), record.state),
    ...defined({ waitingFor }),
    ...(store && waitingFor === store.what ? { storeSince: iso(store.sinceMs) } : {}),
    ...(loop ? { iterations: { done: loop.done, total: loop.total } } : {}),
    ...(record.gate?.remindAtMs === undefined ? {} : { remindAt: iso(record.gate.remindAtMs) }),
    ...(record.carried && !record.carried.child ? { carried: { run: record.carried.run } } : {}),
    ...(child ? { child: child.workflowId } : {}),
    ...(team ? { team: teamView(team) } : {}),
    ...patternViews(step, record),
    ...worktreeOf(run, record),
    ...(step.budget && run.state.records[path] ? budgetOf(run, stepAccount(run, path, step.budget)) : {}),
    ...(record.decision ? { decision: pick(record.decision) } : {}),
    ...(record.superseded ? { superseded: record.superseded.map((round) => roundView(path, round, 'superseded')) } : {}),
  };
}

function worktreeOf({ state }: Run, { worktree }: StepRecord): Pick<StepView, 'worktree'> {
  if (!worktree) return {};
  const { lease } = state.worktrees?.[worktree.slot] ?? {};
  return { worktree: { ...worktree, ...(lease ? { host: lease.host, branch: lease.branch, epoch: lease.epoch } : {}) } };
}

function budgetOf(run: Run, account: Account | undefined): { budget?: BudgetView } {
  return account ? { budget: viewOf(run, account) } : {};
}

function pick({ choice, by, comment }: { choice: string; by?: string; comment?: string }): NonNullable<StepView['decision']> {
  return { choice, ...defined({ by, comment }) };
}

function roundView(path: string, round: SupersededRound, state: RoundView['state']): RoundView {
  return {
    address: shortAddress({ path: parseAddress(path)?.path ?? [{ id: path }], round: round.round, try: round.try }),
    state,
    round: round.round,
    try: round.try,
    ...(round.startedAtMs === undefined ? {} : { startedAt: iso(round.startedAtMs) }),
    ...(round.endedAtMs === undefined ? {} : { endedAt: iso(round.endedAtMs) }),
    ...(round.artifact ? { artifact: round.artifact } : {}),
    ...defined({ verdict: round.verdict }),
    ...(round.usage ? { usage: round.usage } : {}),
    ...(round.error ? { error: { code: round.error.code, message: round.error.message } } : {}),
    ...defined({ adapter: round.adapter }),
  };
}

function waitsFor(run: Run, path: string, step: ControlStep, record: StepRecord): string | undefined {
  if (record.gate && !record.gate.decision) return gateWaitsFor(run, record.gate);
  if ([...run.lacking.values()].some((lacking) => lacking.path === path)) return 'budget that others have reserved';
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
  const awaited = record.state === 'running' ? awaitedOfPattern(step, record) : undefined;
  if (awaited !== undefined) return awaited;
  const called = calledBy(record);
  if (called !== undefined) return `the step ${called}, which it has called`;
  const signal = signalOf(step);
  if (signal !== undefined && record.state === 'waiting') return `the signal ${signal}`;
  const ticket = record.state === 'running' ? ticketsAt(run, path) : undefined;
  if (ticket !== undefined) return ticket;
  return pauseOf(run, path, record, isContainerPlace(step));
}

/** `isContainer`: what is within it says for which swarm it waits. */
function pauseOf(run: Run, path: string, record: StepRecord, isContainer = false): string | undefined {
  if (run.state.paused && record.state === 'running') return 'the pause to end, after its running work';
  return isContainer ? undefined : pausedBySwarm(run, path, record);
}

/**
 * A local activity, which the server does not list. It lasts only where the worker cannot reach the store, and then it does not matter whom a pattern has asked,
 * or which items are in progress.
 */
function storeWaitOf(record: StepRecord): { what: string; sinceMs: number } | undefined {
  if (record.state !== 'running') return undefined;
  const decides = decidesSinceMs(record);
  if (decides !== undefined) return { what: 'its rule to decide', sinceMs: decides };
  const looks = loopStateOf(record)?.stream?.looksSinceMs;
  return looks === undefined ? undefined : { what: 'the new items of its stream', sinceMs: looks };
}

function pausedBySwarm(run: Run, path: string, record: StepRecord): string | undefined {
  const swarm = pausedFor(run.state, { path });
  if (!swarm) return undefined;
  const name = run.name(swarm.path);
  if (record.state === 'running') return `the swarm ${name} to end, after its running work`;
  return record.state === 'pending' && swarm.affected.includes(stepIdAt(path)) ? `the swarm ${name}, which it is affected by` : undefined;
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

export function runMemo(run: Run): RunMemo {
  return {
    state: runStateView(run),
    ...defined({ owner: run.plan.owner }),
    ...(run.parent ? { parent: run.parent.workflowId } : {}),
    gates: gateViews(run).map(({ shown: _shown, delegates: _delegates, question, ...rest }) => ({
      ...rest,
      question: question.slice(0, MEMO_QUESTION_CHARACTERS),
    })),
  };
}
const MEMO_QUESTION_CHARACTERS = 500;

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
