import { defined } from '../../plan/defined';
import { evaluateSpelled } from '../../plan/expressions/evaluate';
import type { ArtifactRef } from '../../plan/run/artifact';
import type { ChildOutput } from '../../plan/run/child';
import { bug, ThermidorFailure } from '../../plan/run/failure';
import type { RunResult } from '../../plan/run/run-result';
import { type Spelled, setSpelled } from '../../plan/text/spelled-json';
import { unreachable } from '../../plan/unreachable';
import { Cancelled } from '../run-context';
import { accountsAbove, charge } from './budget/accounts';
import { release } from './budget/reservation';
import { cancelAllWork, withinMs } from './cancellation/cancel-all';
import type { ChildEndMessage } from './containers/parent-run';
import { reportToStarter } from './containers/started-runs';
import { takeEarly } from './inbound/early-tasks';
import { noteRefusal } from './inbound/inbound';
import { takePendingSignals } from './inbound/pending-signals';
import type { Interpreter } from './interpreter';
import { withdrawAll } from './merging/open-tickets';
import { sendNotice } from './messages/notification-outbox';
import { announceEnd } from './messages/owner-superior';
import type { Run } from './run';
import { runEnd } from './run-end';
import type { RunEnding } from './run-ending';
import { saveSnapshot } from './state/snapshot';
import type { StepRecord } from './state/step-record';
import { CANCEL_WAIT_MS, ERRORS_CHANNEL, FINAL_NOTICE_RETRY_MS } from './steps/activity-timeouts';
import { controlScope } from './steps/expression-scope';
import { endContent } from './views/end-content';
import { listSteps } from './views/listing';
import { closeWorktrees } from './worktrees/close-worktrees';

/** Closes an execution: hands over to the next, or reports how the run ended and ends it accordingly. */
export async function conclude(it: Interpreter): Promise<RunResult> {
  const { run } = it;
  if (run.ending?.kind === 'continue') await handOver(run);
  // Messages during the hand-over may have ended the run after all.
  const { ending } = run;
  if (!ending || ending.kind === 'continue') throw bug('the run ended without a result');
  if (ending.kind === 'completed') await it.cancelledWork.lookUp();
  else await cancelAllWork(it, ending);
  await withdrawAll(it);
  await closeWorktrees(it);
  await settleReservations(it);
  run.state.endedAtMs = run.ctx.now();
  switch (ending.kind) {
    case 'completed':
      announceEnd(run, run.state.announcedDone ? 'pipeline complete and approved' : 'pipeline complete');
      run.journal.add({ kind: 'run', state: 'completed' });
      await sayEnd(it, { kind: 'ended', state: 'completed', output: childOutput(run) });
      return await lastWords(it, completed(run));
    case 'rejected':
      announceEnd(run, `pipeline rejected: ${ending.reason}`);
      run.journal.add({ kind: 'run', state: 'rejected', reason: ending.reason });
      await sayEnd(it, { kind: 'ended', state: 'rejected', reason: ending.reason });
      return await lastWords(it, { status: 'rejected', output: null, ...artifactsByStep(run), reason: ending.reason });
    case 'failed': {
      const { code, message } = ending;
      announceEnd(run, `pipeline failed: ${message}`);
      run.journal.add({ kind: 'run', state: 'failed', error: { code, message } });
      // One message for one failure: the pipeline that failed first sends it, and those around it add nothing.
      await sayEnd(it, { kind: 'ended', state: 'failed', code, message, reported: true });
      if (!ending.reported) {
        const where = ending.step ? ` at ${ending.step}` : '';
        await reportFailure(run, ending, `${run.plan.name} ${run.ctx.info.workflowId} failed${where}: ${code}: ${message}`);
      }
      await lastWords(it, undefined);
      throw new ThermidorFailure(code, message, ending.step === undefined ? undefined : { step: ending.step });
    }
    case 'cancelled':
      announceEnd(run, 'pipeline cancelled');
      run.journal.add({ kind: 'run', state: 'cancelled', ...defined({ reason: ending.reason }) });
      await sayEnd(it, { kind: 'ended', state: 'cancelled', reason: ending.reason ?? 'cancelled' });
      await lastWords(it, undefined);
      throw new Cancelled();
    default:
      return unreachable(ending);
  }
}

/** Its parent and its starter are informed how it ended. */
async function sayEnd(it: Interpreter, end: ChildEndMessage): Promise<void> {
  await it.parent.ended(end);
  await reportToStarter(it.run, end);
}

/** Stores the state and continues in a fresh execution. Returns only if the run has ended meanwhile. */
async function handOver(run: Run): Promise<void> {
  const { ctx } = run;
  for (;;) {
    const seen = heardBy(run);
    const ref = await saveSnapshot(run);
    await ctx.handlersFinished();
    if (run.ending?.kind !== 'continue') return;
    // A signal that came while the state was stored has changed it: store it again.
    if (heardBy(run) !== seen) continue;
    const memo = { startedAt: new Date(run.startedAtMs).toISOString() };
    return ctx.continueAsNew({ resume: ref }, memo);
  }
}

/** Changes with each signal: those that are not journalled yet are being checked, each under a number. */
function heardBy({ state }: Run): string {
  return `${state.journal.nextSeq} ${state.checks ?? 0} ${state.pendingSignals?.length ?? 0}`;
}

/** Waits, within limits, for messages that are still on their way, then stores the rest of the journal, and the record of the run. */
async function lastWords<R extends RunResult | undefined>(it: Interpreter, result: R): Promise<R> {
  const { run } = it;
  it.changed('gates');
  if (run.state.outbox.length > 0) {
    await withinMs(run, FINAL_NOTICE_RETRY_MS, run.backgroundDone());
    for (const { channel, message } of run.state.outbox) {
      run.journal.add({
        kind: 'notification',
        channel,
        delivered: false,
        message,
        error: { code: 'channel.unavailable', message: 'the run ended first' },
      });
    }
  }
  if (run.opened.parent) await it.parent.drained();
  for (const { name, payload } of takePendingSignals(run)) {
    noteRefusal(it, name, payload, { outcome: 'late', reason: 'the run ended before it was checked' });
  }
  for (const payload of takeEarly(it, () => false)) noteRefusal(it, 'task', payload, { outcome: 'late', reason: 'its board never opened' });
  await run.journal.close(() => endContent(run, result));
  await run.ctx.handlersFinished();
  return result;
}

async function reportFailure(run: Run, ending: RunEnding, message: string): Promise<void> {
  const end = runEnd(ending);
  await sendNotice(run, { address: 'run/failure', channel: ERRORS_CHANNEL, message, ...defined({ end }) }, FINAL_NOTICE_RETRY_MS);
}

function completed(run: Run): RunResult {
  const result: RunResult = { status: 'completed', output: null, ...artifactsByStep(run) };
  setSpelled(result, 'output', outputOf(run));
  return result;
}

function outputOf(run: Run): Spelled {
  if (run.plan.output) return evaluateSpelled(run.plan.output, controlScope(run));
  const artifact = lastArtifact(run);
  return artifact ? { ...artifact } : null;
}

function childOutput(run: Run): ChildOutput {
  const artifact = run.plan.output ? undefined : lastArtifact(run);
  if (artifact) return { artifact };
  const output = { value: null };
  setSpelled(output, 'value', outputOf(run));
  return output;
}

/** The output of the last step that ran: in the Lobster dialect even if it is empty. */
function lastArtifact(run: Run): ArtifactRef | undefined {
  const ran = (record: StepRecord | undefined) =>
    run.plan.dialect === 'lobster' ? record?.state === 'done' : record?.output?.artifact !== undefined;
  const last = run.plan.block.steps.findLast((step) => ran(run.state.records[step.id]));
  return last && run.state.records[last.id]?.output?.artifact;
}

/** The limit in characters, of up to three bytes each: the server accepts no result over 2 MiB. */
const ARTIFACTS_CHARACTERS = 400_000;

function artifactsByStep(run: Run): Pick<RunResult, 'artifacts' | 'moreArtifacts'> {
  const artifacts: RunResult['artifacts'] = {};
  let characters = 0;
  let moreArtifacts = 0;
  for (const { path } of listSteps(run)) {
    const artifact = run.state.records[path]?.output?.artifact;
    if (!artifact) continue;
    characters += path.length + JSON.stringify(artifact).length;
    if (characters > ARTIFACTS_CHARACTERS) moreArtifacts += 1;
    else artifacts[path] = artifact;
  }
  return { artifacts, ...defined({ moreArtifacts: moreArtifacts || undefined }) };
}

/**
 * Called before a run reports its usage: cancelled agents that have not stopped, such as that of an unneeded branch, still use their
 * reservations. They are awaited for a while; one that does not stop counts as having used all of it.
 */
async function settleReservations(it: Interpreter): Promise<void> {
  const { run } = it;
  if (run.holdings.size === 0) return;
  const paths = [...run.holdings.values()].map(({ path }) => path);
  await withinMs(run, CANCEL_WAIT_MS, Promise.all(paths.map((path) => run.ctx.cancelActivities(path, 'itself'))));
  for (const [key, { path, hold }] of [...run.holdings]) {
    const { tokens = 0, costMicroUsd = 0 } = hold.granted;
    charge(accountsAbove(run, path), hold, { tokens, costMicroUsd }, false);
    release(it, { key, hold });
  }
}
