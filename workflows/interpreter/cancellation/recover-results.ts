import { asksAgent, judges } from '../../../kinds/questions';
import { traitsOf } from '../../../kinds/traits';
import { defined } from '../../../plan/defined';
import { isSettled } from '../../../plan/run/step-state';
import type { ControlStep } from '../../../plan/steps/control';
import type { StepOutput } from '../../../plan/steps/step-activity';
import { stepsWithin } from '../../../plan/steps/walk';
import { keepContext } from '../agents/owner-context';
import { accountsAround, amountsOf, charge } from '../budget/accounts';
import { openEntries, ownAgent } from '../context/open-entries';
import { sendReport } from '../messages/envelopes';
import { placeFinder } from '../rerun/carry-state';
import type { Run } from '../run';
import { type Place, stepIdAt } from '../scheduling/place';
import type { Slots } from '../scheduling/slots';
import type { CancelledWork } from '../state/cancelled-work';
import { closeRecord } from '../state/forget';
import { chainResultFor, judgeStateOf } from '../state/kind-state';
import { freshRecord, type StepRecord } from '../state/step-record';
import { recordOutput } from '../steps/record-output';
import { noteApprovalUse } from '../steps/settle';
import { noteBegunAgain, workClock } from '../steps/work-times';
import type { TakeRecovered } from './cancelled-work';

/** Steps' work in progress, which the ledger may have as done, without the run's knowledge. */
export function pendingWork(run: Run, isMeant: (path: string) => boolean): CancelledWork[] {
  const found = new Map<string, CancelledWork>();
  for (const [path, record] of run.index.live(run.state.records)) {
    const step = isMeant(path) ? run.steps.get(stepIdAt(path))?.step : undefined;
    if (!step || !isAtWork(step, record)) continue;
    found.set(path, workAt(run, path, step, record));
    for (const next of chainBehind(run, path, step)) found.set(next.path, next);
  }
  return [...found.values()];
}

function isAtWork({ kind }: ControlStep, record: StepRecord): boolean {
  const { state, output } = record;
  const { ledger } = traitsOf(kind);
  if (ledger === undefined) return false;
  // A step whose chain has brought its result, and whose turn has not come.
  const fetched = chainResultFor(record);
  if (fetched && 'output' in fetched && !fetched.failure && state === 'pending') return true;
  if (ledger === 'effect') return state === 'running';
  return (state === 'running' || state === 'waiting') && output?.artifact === undefined;
}

function workAt(run: Run, path: string, { kind }: ControlStep, record: StepRecord): CancelledWork {
  const { call, charged } = callAt(record) ?? {};
  return {
    path,
    kind,
    round: record.round,
    try: record.try,
    call: call ?? run.address(path),
    ...defined({ charged: charged && { ...charged } }),
  };
}

/** The call in progress, by its name in the ledger, and what budgets have been charged for it. */
function callAt(record: StepRecord): { call: string; charged?: CancelledWork['charged'] } | undefined {
  for (const entry of openEntries(record)) {
    if (entry.kind === 'agent') return { call: entry.ledger, ...defined({ charged: entry.keeps.hold?.charged }) };
    if (entry.kind === 'call' && entry.ledger !== undefined) return { call: entry.ledger };
  }
  return undefined;
}

/** Steps that may have been done in a chain with one, and whose turn has not come. */
function* chainBehind(run: Run, path: string, step: ControlStep): Generator<CancelledWork> {
  const { container } = run.steps.get(step.id) ?? {};
  const blocks = container ? [stepsWithin<ControlStep>(container.step)] : [run.plan.block.steps, run.plan.finally?.steps ?? []];
  const steps = blocks.find((some) => some.includes(step)) ?? [];
  for (const next of steps.slice(steps.indexOf(step) + 1)) {
    const nextPath = `${path.slice(0, -step.id.length)}${next.id}`;
    const record = run.state.records[nextPath];
    if (!next.chained || record?.state !== 'pending') return;
    yield workAt(run, nextPath, next, record);
  }
}

/** Pending work, and work that was cancelled after it had begun, for a run that will get no further news. */
export function unreportedWork(run: Run): CancelledWork[] {
  const known = pendingWork(run, () => true);
  const cancelled = Object.entries(run.state.records).flatMap(([path, record]) => {
    const step = run.steps.get(stepIdAt(path))?.step;
    const begun = record.state === 'skipped' && record.times?.startedAtMs !== undefined && record.error === undefined;
    return step && begun && isAtWork(step, { ...record, state: 'running' }) ? [workAt(run, path, step, record)] : [];
  });
  return [...known, ...cancelled];
}

/** The run as it would be if it knew what the ledger has, by call. The run itself does not change. */
export function withRecovered(run: Run, found: Readonly<Record<string, StepOutput>>): Run {
  const records = { ...run.state.records };
  const state = { ...run.state, records };
  for (const { path, call } of unreportedWork(run)) {
    const [before, output] = [records[path], found[call]];
    if (!before || !output) continue;
    const record: StepRecord = { ...before, ...defined({ kept: before.kept && { ...before.kept } }), state: 'skipped' };
    records[path] = record;
    const step = run.steps.get(stepIdAt(path))?.step;
    if (!step) continue;
    recordOutput(record, step, output);
    keepContext(state, record, output);
    if (endsWithItsWork(step, record)) record.state = 'done';
  }
  return { ...run, state, record: (path) => records[path] ?? freshRecord(1) };
}

/** The ledger's result becomes the step's record, whatever happened to the enclosing block. */
export function recovererOf(run: Run, slots: Pick<Slots, 'give'>, changed: () => void): TakeRecovered {
  const find = placeFinder(run);
  return (work, found) => {
    const { path } = work;
    const record = run.state.records[path];
    // Its round was sent back, its container has begun again, or its own result came in time after all.
    if (!record || record.round !== work.round || record.state === 'done') return;
    if ('problem' in found) {
      const reason = `cancelled; whether it was done is unknown: ${found.problem}`;
      run.journal.add({ kind: 'step', step: run.name(path), state: record.state, reason });
      return;
    }
    if ('begun' in found) {
      const clock = workClock(run, record.times?.startedAtMs ?? run.ctx.now());
      noteBegunAgain(run, path, found.begun.map(clock), record.state);
      return;
    }
    record.try = work.try;
    const place = find(path);
    // The step's own result came, but too late for the step to end with it.
    const isTaken = record.output?.artifact !== undefined && record.output.artifact.sha256 === found.output.artifact?.sha256;
    const step = run.steps.get(stepIdAt(path))?.step;
    if (!isTaken && step) takeWork(run, record, step, place, found.output, work);
    const isDone = step !== undefined && endsWithItsWork(step, record);
    slots.give(path);
    if (isDone) settleRecord(run, place, record);
    if (isSettled(record.state)) run.index.settled(path, record);
    const artifact = record.output?.artifact;
    const said = isDone
      ? ({ state: 'done', reason: 'cancelled, was done' } as const)
      : { state: record.state, reason: 'cancelled; its work is done' };
    run.journal.add({ kind: 'step', step: run.name(path), ...said, ...defined({ artifact }) });
    changed();
  };
}

function takeWork(
  run: Run,
  record: StepRecord,
  step: ControlStep,
  place: Place | undefined,
  output: StepOutput,
  { charged }: CancelledWork,
): void {
  const agent = ownAgent(record);
  recordOutput(record, step, output);
  for (const event of (output.journal ?? []).slice(agent?.keeps.journalled ?? 0)) run.journal.add(event);
  keepContext(run.state, record, output);
  if (!place) return;
  if (output.artifact && asksAgent(step)) sendReport(run, { ...place, step }, output.artifact);
  if (output.usage) {
    // It may have come back meanwhile, too late for the step to take it, and is charged then.
    const reported = agent?.end?.value?.usage;
    const hold = { granted: {}, charged: reported ? amountsOf(reported) : (charged ?? { tokens: 0, costMicroUsd: 0 }) };
    charge(accountsAround(run, place), hold, amountsOf(output.usage), output.usage.costMicroUsd === null);
  }
}

/**
 * Whether nothing follows the work of a step but its end: no question to a person, no second reviewer, nothing that its verdict asks for.
 */
function endsWithItsWork(step: ControlStep, record: StepRecord): boolean {
  if (step.approval) return false;
  const { verdict, critic } = judgeStateOf(record) ?? {};
  if (!judges(step) || !verdict) return true;
  if (step.critic !== undefined && critic?.verdict.verdict !== verdict.verdict) return false;
  return verdict.verdict === 'pass' || (verdict.verdict === 'revise' && !step.onRevise);
}

function settleRecord(run: Run, place: Place | undefined, record: StepRecord): void {
  const nowMs = run.ctx.now();
  record.times = { startedAtMs: nowMs, endedAtMs: nowMs, ...record.times };
  record.state = 'done';
  if (place) noteApprovalUse(run, place, record);
  closeRecord(record);
}
