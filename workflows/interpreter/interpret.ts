import { defined } from '../../plan/defined';
import { readStarter } from '../../plan/people/starter';
import { DEFAULT_CONCURRENT } from '../../plan/plan';
import { ThermidorFailure } from '../../plan/run/failure';
import type { RunInput } from '../../plan/run/run-input';
import type { RunResult } from '../../plan/run/run-result';
import { type VersionsOfRun, WorkerTooOld, whyTooOld } from '../../plan/run/worker-version';
import { Cancelled, type Inbound, type RunContext } from '../run-context';
import { takeAllowance } from './budget/allowance';
import { noteHeldUp } from './budget/reservation';
import { createCancelledWorkLookup } from './cancellation/cancelled-work';
import { recovererOf } from './cancellation/recover-results';
import { conclude } from './conclusion';
import { messagesToParent } from './containers/parent-run';
import { restWhileAsked } from './containers/time-limit';
import { applyUpdate, checkUpdate, receiveFromParent, receiveSignal } from './inbound/inbound';
import type { Interpreter, KindCode } from './interpreter';
import { announceStart } from './messages/owner-superior';
import { createRun, type WholeRun } from './run';
import { startBlocks } from './scheduling/blocks';
import { type Deferred, deferred } from './scheduling/deferred';
import { ownersChildren } from './scheduling/owners-children';
import { isContainerPlace } from './scheduling/place';
import { createSlots } from './scheduling/slots';
import { carriedState, noteCarried } from './state/carried-state';
import { loadPlan, readOpened } from './state/load';
import { loadSnapshot } from './state/snapshot';
import { emptyState, type InterpreterState } from './state/state';
import { startStep, takeUpStep } from './steps/step';
import { letProducersGo } from './streams/stream-room';
import { takeUp } from './take-up';
import { createPublisher } from './views/publisher';
import { answerQuery, answerUnopened } from './views/queries';
import { createWorktreeTurns } from './worktrees/worktree-turns';

const OPEN_MS = 60_000;

/**
 * Executes a run from its input to its end, whatever the context is bound to. Returns the run's result, or fails with `ThermidorFailure` or
 * `Cancelled`; continue-as-new ends it by the context's own means.
 *
 * Signals that come before the plan is loaded wait for it, in order.
 */
export async function interpret(ctx: RunContext, input: RunInput, kinds: KindCode): Promise<RunResult> {
  const door = openDoor(ctx);
  const { opened, state } = await openRun(ctx, input).catch((error: Error) => {
    door.stayShut(error);
    throw error;
  });
  const it = createInterpreter(ctx, kinds, opened, state);
  const listen = (): void => door.open(it);
  if (!input.resume) begin(it, opened, listen);
  else takeUp(it, listen);
  await it.run.ended;
  return conclude(it);
}

function begin(it: Interpreter, { startedBy, budget }: WholeRun, listen: () => void): void {
  it.run.journal.add({ kind: 'run', state: 'running', ...defined({ startedBy }) });
  noteCarried(it.run);
  announceStart(it.run);
  if (budget) takeAllowance(it, budget);
  it.changed('gates');
  listen();
  startBlocks(it);
}

export function createInterpreter(ctx: RunContext, kinds: KindCode, opened: WholeRun, state: InterpreterState): Interpreter {
  const run = createRun(ctx, opened, state);
  const line = messagesToParent(run, (word) => receiveFromParent(it, word));
  const publish = createPublisher(run);
  const frames: Interpreter['frames'] = new Map();
  const slots = createSlots(run.plan.concurrent ?? DEFAULT_CONCURRENT, ownersChildren(run));
  const it: Interpreter = {
    run,
    slots,
    worktrees: createWorktreeTurns(run),
    frames,
    parent: line,
    cancelledWork: createCancelledWorkLookup(
      run,
      recovererOf(run, slots, () => it.changed()),
    ),
    kinds,
    startStep: (place, decision) => startStep(it, place, decision),
    takeUpStep: (place) => takeUpStep(it, place),
    scheduler(place) {
      const open = frames.get(place.frame);
      if (!open) throw new Cancelled();
      return open.scheduler;
    },
    pump() {
      for (const { scheduler } of frames.values()) if (scheduler.hungry) scheduler.pump();
    },
    rest(place) {
      slots.give(place.child?.id ?? place.path);
      it.pump();
    },
    resume(place) {
      // Inner steps need the slots: with few of them, a container that kept one would block itself for good.
      if (!isContainerPlace(place.step)) slots.take(place.child?.id ?? place.path, place);
    },
    changed(what) {
      publish(what);
      if (what !== 'gates') return;
      restWhileAsked(run);
      line.gates();
    },
  };
  run.heldUp = (place, holds) => {
    slots.lend(place.child?.id ?? place.path, holds);
    noteHeldUp(it, place, holds);
    if (holds) it.pump();
  };
  run.drains = () => letProducersGo(run);
  run.goesOn = () => it.pump();
  return it;
}

async function openRun(ctx: RunContext, input: RunInput): Promise<{ opened: WholeRun; state: InterpreterState }> {
  const { firstRunId: run, workflowType, startedAtMs, namespace, scheduledBy, scheduledAt } = ctx.info;
  const startedAt = new Date(startedAtMs).toISOString();
  const schedule = defined({ scheduledBy, scheduledAt });
  const opening = { run, workflowType, input, startedAt, namespace, ...schedule };
  const said = await ctx.activity('openRun', opening, { local: true, kept: true, startToCloseMs: OPEN_MS }).catch((error: unknown) => {
    throw error instanceof ThermidorFailure && error.code === 'worker.too-old' ? new WorkerTooOld(error.message) : error;
  });
  const { startedBy: stored, ...rest } = readOpened(said);
  // Another worker has opened it, and this one takes it over.
  leaveToNewer({ version: rest.version });
  const startedBy = readStarter(stored);
  const plan = rest.plan ?? (await loadPlan(ctx));
  leaveToNewer(plan);
  const opened: WholeRun = { ...rest, plan, ...defined({ startedBy }) };
  if (!input.resume) {
    const state = opened.carried ? await carriedState(ctx, opened.carried, opened.version) : emptyState(opened.version);
    if (opened.postMortem) state.postMortem = startedBy?.kind === 'person' ? { by: startedBy.name } : {};
    return { opened, state };
  }
  const { state } = await loadSnapshot(ctx, input.resume);
  return { opened, state };
}

function leaveToNewer(run: VersionsOfRun): void {
  const tooOld = whyTooOld(run);
  if (tooOld !== undefined) throw new WorkerTooOld(tooOld);
}

/** As many as the server accepts for one execution; and in characters. */
const EARLY_SIGNALS = 10_000;
const EARLY_CHARACTERS = 16_000_000;

/** Messages wait here until the plan is loaded; signals without room are counted, and journalled as such. */
function openDoor(ctx: RunContext): { open(it: Interpreter): void; stayShut(why: Error): void } {
  const ready: Deferred<Interpreter> = deferred();
  const early: ((it: Interpreter) => void)[] = [];
  let characters = 0;
  let tooMany = 0;
  let inside: Interpreter | undefined;
  let shut: Error | undefined;
  const inbound: Inbound = {
    signal(name, payload) {
      if (inside) receiveSignal(inside, name, payload);
      else {
        const size = name.length + JSON.stringify(payload ?? null).length;
        if (early.length >= EARLY_SIGNALS || characters + size > EARLY_CHARACTERS) tooMany += 1;
        else {
          characters += size;
          early.push((it) => receiveSignal(it, name, payload));
        }
      }
    },
    checkUpdate(name, payload) {
      if (inside) checkUpdate(inside, name, payload);
    },
    async update(name, payload) {
      return applyUpdate(inside ?? (await ready.promise), name, payload);
    },
    query: (name, argument) => (inside ? answerQuery(inside, name, argument) : answerUnopened(ctx, name, shut)),
    cancel(reason) {
      if (inside) cancelRun(inside, reason);
      else early.push((it) => cancelRun(it, reason));
    },
  };
  ctx.listen(inbound);
  return {
    open(it) {
      inside = it;
      for (const message of early) message(it);
      early.length = 0;
      if (tooMany > 0) it.run.journal.add({ kind: 'signal', name: '*', outcome: 'refused', reason: tooManyEarly(tooMany) });
      ready.resolve(it);
    },
    stayShut(why) {
      shut = why;
      // Perhaps nothing waits for it.
      ready.promise.catch(() => undefined);
      ready.reject(why);
    },
  };
}

function cancelRun({ run, parent }: Interpreter, reason: string | undefined): void {
  parent.behindWords(() => run.end({ kind: 'cancelled', ...defined({ reason }) }));
}

function tooManyEarly(count: number): string {
  return `${count} more signals came before the plan was there, and were not read: too many were waiting already`;
}
