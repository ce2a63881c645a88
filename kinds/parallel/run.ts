import { defined } from '../../plan/defined';
import { describeQuorum, neededOf as quorumOf } from '../../plan/people/quorum';
import type { ArtifactRef } from '../../plan/run/artifact';
import { isSettled } from '../../plan/run/step-state';
import { field } from '../../plan/text/json';
import { composeOutput } from '../../workflows/interpreter/containers/compose';
import { untilEnd } from '../../workflows/interpreter/containers/run-block';
import { timeLimitOf } from '../../workflows/interpreter/containers/time-limit';
import type { FailureRecord } from '../../workflows/interpreter/context/attempt-log';
import { failureOfEntry } from '../../workflows/interpreter/context/scope-log';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import { cancelFrame, openFrame } from '../../workflows/interpreter/scheduling/frames';
import { type Frame, makeFrame, type Place, type PlaceOf } from '../../workflows/interpreter/scheduling/place';
import { openKindState } from '../../workflows/interpreter/state/kind-state';
import type { StepRecord } from '../../workflows/interpreter/state/step-record';
import { reportBranches } from '../../workflows/interpreter/steps/actions';

/**
 * Branches in parallel (docs/patterns.md, CP-3). When enough of them have ended, or the time is up, the rest is cancelled, and the
 * available results are output; `missing` lists the branches without one.
 */
export async function performParallel(
  it: Interpreter,
  place: PlaceOf<'parallel'>,
  record: StepRecord,
  ctx: StepContext,
): Promise<undefined> {
  const { run } = it;
  const { step, path } = place;
  const frame = makeFrame({ block: { order: 'graph', steps: step.branches }, kind: 'branches', container: place });
  const { places: branches } = frame;
  const name = `block:${path}`;
  let verdict: Verdict | undefined;
  const judge = (): void => {
    verdict ??= judgement(it, place, branches);
    if (verdict) run.wake(name);
  };
  const limit = timeLimitOf(it, place, ctx, name);
  try {
    await ctx.through('branches', () => {
      openFrame(it, frame, { ...defined({ limit: step.maxConcurrent }), settled: judge, done: judge, stopped: () => undefined });
      // Branches that have settled already may suffice.
      judge();
      return untilEnd(it, path, name, limit, () => verdict !== undefined);
    });
  } finally {
    limit.close();
  }
  const { failure, missing, timedOut } = ctx.once('end', () => endOf(it, place, frame, verdict));
  if (failure) throw failureOfEntry(failure);
  openKindState(record, step.kind).missing = missing;
  // A cancelled branch counts as missing, even if it turns out that it was done.
  const results = Object.fromEntries(
    branches.map((branch) => [branch.step.id, missing.includes(branch.step.id) ? null : resultOf(it, branch)]),
  );
  // A branch may be done without an output.
  const isAmbiguous = Object.values(results).filter((result) => result === null).length !== missing.length;
  await composeOutput(it, place, {
    kind: 'branches',
    results,
    ...defined({ missing: isAmbiguous ? missing : undefined, timedOut: timedOut || undefined }),
  });
  return undefined;
}

interface BranchesEnd {
  failure?: FailureRecord;
  /** Branches that gave no result. */
  missing: string[];
  /** The time ran out before all had ended. */
  timedOut?: true;
}

/** Cancels unneeded branches that have not ended. */
function endOf(it: Interpreter, place: PlaceOf<'parallel'>, frame: Frame, verdict: Verdict | undefined): BranchesEnd {
  const { places: branches } = frame;
  cancelFrame(it, frame, verdict ? 'the others sufficed' : 'the time of the step around it ran out');
  const failure = verdict === undefined ? lateFailure(it, place, branches) : verdict.failure;
  if (failure) return { failure, missing: [] };
  passOver(it, branches);
  reportBranches(it, branches);
  const missing = branches.filter((branch) => !hasResult(it, branch)).map((branch) => branch.step.id);
  return { missing, ...defined({ timedOut: verdict === undefined || undefined }) };
}

/** The wait is over: the step has what it needs, or can no longer get it. */
type Verdict = { failure?: FailureRecord };

function judgement(it: Interpreter, { step }: PlaceOf<'parallel'>, branches: readonly Place[]): Verdict | undefined {
  const counts = tally(it, branches);
  const failed = (): Verdict => ({ failure: branchFailure(it, step, branches, counts) });
  if (step.wait === undefined) {
    if (counts.open > 0) return undefined;
    return counts.failed > 0 ? failed() : {};
  }
  if (step.wait === 'any' && it.run.plan.dialect === 'lobster') {
    // In that mode the first to end decides, in any way.
    if (counts.failed > 0) return failed();
    return counts.done > 0 || counts.open === 0 ? {} : undefined;
  }
  if (step.wait === 'some') {
    if (counts.open > 0) return undefined;
    return counts.done === 0 && counts.failed > 0 ? failed() : {};
  }
  const needed = neededOf(step.wait, counts.counted);
  if (counts.done >= needed) return {};
  return counts.done + counts.open < needed ? failed() : undefined;
}

interface Tally {
  done: number;
  failed: number;
  open: number;
  /** Branches that were neither skipped nor allowed to fail. */
  counted: number;
}

const PENDING: Pick<StepRecord, 'state' | 'error'> = { state: 'pending' };

function tally({ run }: Interpreter, branches: readonly Place[]): Tally {
  const counts: Tally = { done: 0, failed: 0, open: 0, counted: 0 };
  for (const { path } of branches) {
    const { state, error } = run.state.records[path] ?? PENDING;
    if (state === 'skipped' || error?.tolerated) continue;
    counts.counted += 1;
    if (!isSettled(state)) counts.open += 1;
    else if (state === 'done') counts.done += 1;
    else counts.failed += 1;
  }
  return counts;
}

function neededOf(wait: PlaceOf<'parallel'>['step']['wait'], counted: number): number {
  if (counted === 0 || wait === undefined) return counted;
  return wait === 'any' || wait === 'some' ? 1 : quorumOf(wait.quorum, counted);
}

function branchFailure(
  it: Interpreter,
  { wait }: Pick<PlaceOf<'parallel'>['step'], 'wait'>,
  branches: readonly Place[],
  { done, counted }: Tally,
): FailureRecord {
  const failed = branches.flatMap((branch) => {
    const { error } = it.run.state.records[branch.path] ?? {};
    return error ? [{ branch: branch.step.id, ...error }] : [];
  });
  const [first] = failed;
  // Lobster names no branch, and if the first to end decides, it passes that one's failure on.
  const isLobster = it.run.plan.dialect === 'lobster';
  const named = first && (isLobster ? first.message : `${first.branch}: ${first.message}`);
  const needed = neededOf(wait, counted);
  const tooFew = wait === undefined || isLobster ? undefined : `${done} succeeded, ${describeQuorum(needed, counted)} must`;
  const what = [tooFew, named].filter((part) => part !== undefined).join('; ') || `only ${done} of ${counted} branches gave a result`;
  const reported = failed.length > 0 && failed.every(({ details }) => field(details, 'reported') === true) ? { reported: true } : {};
  const details = { done, counted, needed, failed: failed.map(({ branch, code, message }) => ({ branch, code, message })), ...reported };
  const handsOn = isLobster && wait === 'any' && first !== undefined;
  return { code: 'parallel.branch-failed', message: handsOn ? what : `Parallel branch failed: ${what}`, details };
}

/** The time is up. The available results are used, unless there are none, or too few, or the dialect forbids it. */
function lateFailure(it: Interpreter, place: PlaceOf<'parallel'>, branches: readonly Place[]): FailureRecord | undefined {
  const counts = tally(it, branches);
  const { step, path } = place;
  const name = it.run.name(path);
  if (it.run.plan.dialect === 'lobster')
    return { code: 'parallel.timeout', message: `Parallel step ${step.as ?? step.id} timed out after ${step.timeoutMs}ms` };
  if (step.wait === undefined && counts.failed > 0) return branchFailure(it, step, branches, counts);
  const needed = step.wait === undefined ? 1 : neededOf(step.wait, branches.length);
  if (counts.done >= needed) return undefined;
  const done = `${counts.done} of ${branches.length} branches done, ${describeQuorum(needed, branches.length)} must be`;
  return { code: 'parallel.timeout', message: `${name} timed out with ${done}` };
}

/** Skips unneeded branches that have not begun. */
function passOver({ run }: Interpreter, branches: readonly Place[]): void {
  for (const { path } of branches) {
    const record = run.record(path);
    if (isSettled(record.state)) continue;
    record.state = 'skipped';
    run.index.settled(path, record);
    run.journal.add({
      kind: 'step',
      step: run.name(path),
      state: 'skipped',
      reason: 'enough of the others had ended, or the step timed out',
    });
  }
}

function hasResult({ run }: Interpreter, branch: Place): boolean {
  return run.state.records[branch.path]?.state === 'done';
}

function resultOf({ run }: Interpreter, branch: Place): ArtifactRef | null {
  const record = run.state.records[branch.path];
  return (record?.state === 'done' && record.output?.artifact) || null;
}
