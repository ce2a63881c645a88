import type { RunResult } from '../../plan/contract';
import { evaluate } from '../../plan/evaluate';
import { ThermidorFailure } from '../../plan/failure';
import type { Json } from '../../plan/json';
import { unreachable } from '../../plan/unreachable';
import { Cancelled } from '../run-context';
import { announceEnd } from './envelopes';
import { closeGate, openGates } from './gates';
import type { Interpreter } from './interpreter';
import { sendNotice } from './notices';
import { CALL_OFF_MS, ERRORS_CHANNEL, LAST_WORDS_FOR_MS } from './policies';
import type { Run } from './run';
import { controlScope } from './scope';
import type { Snapshot } from './state';

const SAVE_MS = 60_000;

/** Closes an execution: hands over to the next, or tells everyone how the run ended and ends it so. */
export async function conclude(it: Interpreter): Promise<RunResult> {
  const { run } = it;
  if (run.ending?.kind === 'continue') await handOver(run);
  // What came in during the hand-over may have ended the run after all.
  const { ending } = run;
  if (!ending || ending.kind === 'continue') throw new ThermidorFailure('internal', 'the run ended without saying how');
  if (ending.kind !== 'completed') await within(run, CALL_OFF_MS, run.ctx.callOff());
  run.state.endedAtMs = run.ctx.now();
  closeWhatIsOpen(run);
  switch (ending.kind) {
    case 'completed':
      announceEnd(run, 'pipeline complete');
      run.journal.add({ kind: 'run', state: 'completed' });
      await lastWords(it);
      return { status: 'completed', output: outputOf(run), artifacts: artifactsByStep(run) };
    case 'rejected':
      announceEnd(run, `pipeline rejected: ${ending.reason}`);
      run.journal.add({ kind: 'run', state: 'rejected', reason: ending.reason });
      await lastWords(it);
      return { status: 'rejected', output: null, artifacts: artifactsByStep(run), reason: ending.reason };
    case 'failed': {
      const { code, message } = ending;
      announceEnd(run, `pipeline failed: ${message}`);
      run.journal.add({ kind: 'run', state: 'failed', error: { code, message } });
      await reportFailure(
        run,
        `${run.plan.name} ${run.ctx.info.workflowId} failed${ending.step ? ` at ${ending.step}` : ''}: ${code}: ${message}`,
      );
      await lastWords(it);
      throw new ThermidorFailure(code, message, ending.step === undefined ? undefined : { step: ending.step });
    }
    case 'cancelled':
      run.journal.add({ kind: 'run', state: 'cancelled' });
      await lastWords(it);
      throw new Cancelled();
    default:
      return unreachable(ending);
  }
}

/** Gates that nobody needs to answer any more, and steps that were called off. */
function closeWhatIsOpen(run: Run): void {
  for (const { step } of openGates(run)) closeGate(run, step.id, 'ended');
  for (const [id, record] of Object.entries(run.state.records)) {
    if (record.state !== 'running' && record.state !== 'waiting' && record.state !== 'held') continue;
    record.state = 'skipped';
    record.endedAtMs = run.ctx.now();
    run.journal.add({ kind: 'step', step: run.name(id), state: 'skipped', reason: 'called off: the run ended' });
  }
}

/** Waits for something, but not for ever. */
async function within(run: Run, ms: number, work: Promise<void>): Promise<void> {
  const patience = run.ctx.timer(ms);
  await Promise.race([work, patience.promise]);
  patience.cancel();
}

/** Stores the state and goes on in a fresh execution. Returns only where the run has ended meanwhile. */
async function handOver(run: Run): Promise<void> {
  const { ctx } = run;
  for (;;) {
    const seen = run.state.journal.nextSeq;
    const { plan: _plan, ...opened } = run.opened;
    const snapshot: Snapshot = { opened, state: run.state };
    const saving = { run: ctx.info.firstRunId, state: snapshot };
    const ref = await ctx.activity('saveState', saving, { local: true, kept: true, startToCloseMs: SAVE_MS });
    await ctx.handlersFinished();
    if (run.ending?.kind !== 'continue') return;
    // A signal that came while the state was stored has changed it: store it again.
    if (run.state.journal.nextSeq === seen) return ctx.continueAsNew({ resume: ref });
  }
}

/** Waits, not for ever, for messages that are still on their way, then hands the rest of the journal over. */
async function lastWords(it: Interpreter): Promise<void> {
  const { run } = it;
  it.changed('gates');
  if (run.state.outbox.length > 0) {
    await within(run, LAST_WORDS_FOR_MS, run.backgroundDone());
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
  await run.journal.flush('all');
  await run.ctx.handlersFinished();
}

async function reportFailure(run: Run, message: string): Promise<void> {
  await sendNotice(run, { address: 'run/failure', channel: ERRORS_CHANNEL, message }, LAST_WORDS_FOR_MS);
}

function outputOf(run: Run): Json {
  if (run.plan.output) return evaluate(run.plan.output, controlScope(run));
  const last = run.plan.block.steps.findLast((step) => run.state.records[step.id]?.artifact !== undefined);
  const artifact = last ? run.state.records[last.id]?.artifact : undefined;
  return artifact ? { ...artifact } : null;
}

function artifactsByStep(run: Run): RunResult['artifacts'] {
  const found: RunResult['artifacts'] = {};
  for (const step of run.plan.block.steps) {
    const artifact = run.state.records[step.id]?.artifact;
    if (artifact) found[step.id] = artifact;
  }
  return found;
}
