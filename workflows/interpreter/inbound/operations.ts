import { isAlwaysLast } from '../../../kinds/questions';
import { defined, unlessEmpty } from '../../../plan/defined';
import type { SignalPayload } from '../../../plan/run/signal';
import type { Json } from '../../../plan/text/json';
import { commandChildren, commandHeldChild } from '../containers/child-commands';
import { gatesCovering } from '../gates/covering-inputs';
import type { Interpreter } from '../interpreter';
import { sendEnvelope } from '../messages/envelopes';
import { addToInbox, whyNoRoom } from '../messages/inbox';
import { ADMISSION, type Run } from '../run';
import { exclusiveTurn } from '../scheduling/exclusive-turn';
import { childStateOf } from '../state/kind-state';
import type { OperatorAnswer } from '../state/step-record';
import { type FailedStep, failedSteps, retryFailed, skipFailed } from './failed-step';
import { answerHeldStep, type ChildHeldStep, childHeldSteps, type OwnHeldStep, ownHeldSteps } from './held-steps';
import type { NotApplied, PlannedCommand } from './planned-command';

/** Operators' orders: pause, unpause, retry or skip held or failed steps, abort, and write to an agent. */

export function planPause(it: Interpreter, name: 'pause' | 'unpause', payload: SignalPayload): PlannedCommand {
  const { run } = it;
  const { by, reason } = payload;
  if (name === 'pause') {
    if (run.state.paused) return { outcome: 'duplicate', reason: 'the run is paused already' };
    return {
      apply: () => {
        const given = defined({ by, reason });
        run.state.paused = { ...given, atMs: run.ctx.now() };
        run.journal.add({ kind: 'run', state: 'paused', ...given });
        if (!turnPauses(it)) commandChildren(it, 'pause', payload);
        it.changed('gates');
      },
    };
  }
  if (!run.state.paused) return { outcome: 'refused', reason: 'the run is not paused' };
  return {
    apply: () => {
      delete run.state.paused;
      run.journal.add({
        kind: 'run',
        state: 'running',
        ...defined({ reason, by }),
      });
      if (!turnPauses(it)) commandChildren(it, 'unpause', payload);
      run.wake(ADMISSION);
      it.pump();
      it.changed('gates');
    },
  };
}

/** A person requests a post-mortem, even if `when` in the file would skip it. */
export function planPostMortem({ run }: Interpreter, { by }: SignalPayload): PlannedCommand {
  const step = run.plan.finally?.steps.find(isAlwaysLast);
  if (!step) return { outcome: 'refused', reason: 'the pipeline has no `post_mortem`' };
  if (run.state.postMortem) return { outcome: 'duplicate', reason: 'a post-mortem has been asked for already' };
  if (run.record(step.id).state !== 'pending') return { outcome: 'late', reason: 'the post-mortem of the run has begun, or was skipped' };
  return {
    step: step.id,
    apply: () => {
      run.state.postMortem = defined({ by });
    },
  };
}

/** During an exclusive turn the children are paused, and stay so until it is over. */
function turnPauses({ run }: Interpreter): boolean {
  return exclusiveTurn(run.state)?.pausesOthers === true;
}

export function planOperation(it: Interpreter, name: 'retry' | 'skip' | 'abort', payload: SignalPayload): PlannedCommand {
  const { run } = it;
  if (name === 'abort') {
    const who = payload.by ?? 'an operator';
    const why = payload.reason === undefined ? '' : `: ${payload.reason}`;
    return {
      apply: () => {
        commandChildren(it, 'abort', payload);
        run.end({ kind: 'failed', code: 'run.aborted', message: `aborted by ${who}${why}` });
      },
    };
  }
  const found = stepToTakeUp(it, payload.step);
  if ('outcome' in found) return found;
  // For a skip the step's own entry has the reason.
  const why = name === 'retry' && payload.reason !== undefined ? { about: `for ${found.name}: ${payload.reason}` } : {};
  return { step: found.name, ...why, apply: () => takeUp(it, found, name, payload) };
}

function takeUp(it: Interpreter, found: ToTakeUp, name: 'retry' | 'skip', payload: SignalPayload): void {
  if (found.kind === 'child') {
    commandHeldChild(it, found, name, payload);
    return;
  }
  const { by, reason } = payload;
  const skip: SkipAnswer = { kind: 'skip', ...defined({ by, reason }) };
  const { record } = found;
  if (name === 'retry' && payload.with !== undefined) replaceInputs(it.run, found, payload.with, by);
  if (found.kind === 'own') {
    answerHeldStep(record, name === 'skip' ? skip : { kind: 'retry' });
    it.run.wake(`operator:${found.path}`);
  } else if (name === 'skip') skipFailed(it, found, skip);
  else retryFailed(it, found);
}

function replaceInputs(run: Run, found: OwnHeldStep | FailedStep, inputs: Json, by: string | undefined): void {
  const { record } = found;
  const asks = gatesCovering(run, found.kind === 'own' ? found.path : found.place.path);
  const before = record.brief?.replaced?.asks ?? [];
  const left = asks.length > 0 ? asks : before;
  record.brief = {
    ...record.brief,
    replaced: { inputs, ...defined({ by, asks: unlessEmpty(left) }) },
  };
}

type SkipAnswer = Extract<OperatorAnswer, { kind: 'skip' }>;
type ToTakeUp = OwnHeldStep | ChildHeldStep | FailedStep;

/** The named step, else the only held one. A failed step must be named. */
function stepToTakeUp(it: Interpreter, named: string | undefined): ToTakeUp | NotApplied {
  const { run } = it;
  const held = [...ownHeldSteps(run), ...childHeldSteps(run)];
  const list = held.map(({ name }) => name).join(', ') || 'none';
  const [only, second] = held;
  if (named === undefined) {
    if (only && !second) return only;
    return { outcome: 'misdirected', reason: only ? `several steps are held, name one: ${list}` : 'no step is held' };
  }
  const path = pathNamed(named);
  const fits = [...held, ...failedSteps(it)].filter(({ name }) => fitsName(name, path, named));
  const exact = fits.filter(({ name }) => pathNamed(name) === path);
  const [match, another] = exact.length > 0 ? exact : fits;
  if (match && !another) return match;
  if (another) return { outcome: 'misdirected', reason: `"${named}" could be ${fits.map(({ name }) => name).join(' or ')}` };
  return { outcome: 'misdirected', reason: `${whatItIs(run, path)}; held: ${list}` };
}

/** A named round must be the held one. */
function fitsName(name: string, path: string, named: string): boolean {
  const own = pathNamed(name);
  const [, asked] = named.split('#');
  const [, round] = name.split('#');
  if (asked !== undefined && Number.parseInt(asked, 10) !== Number(round ?? 1)) return false;
  return own === path || own.endsWith(`/${path}`);
}

/** The path without round and try, of which a step within a child pipeline may have several: `deploy#2/build`. */
function pathNamed(named: string): string {
  return named.replace(/[#~]\d+/g, '');
}

/** Why a step cannot be taken up, in words. */
function whatItIs(run: Run, path: string): string {
  const { records } = run.state;
  const [full, record] = Object.entries(records).find(([other]) => other === path || other.endsWith(`/${path}`)) ?? [path, undefined];
  if (!record) {
    const found = Object.entries(records).find(([other, one]) => childStateOf(one) && path.startsWith(`${other}/`));
    const child = childStateOf(found?.[1]);
    if (child) return `nothing of that name is held in child pipeline ${child.workflowId}; what failed there is taken up there`;
    return run.steps.has(path) ? `${path} is pending, not held` : `there is no step "${path}"`;
  }
  if (record.state !== 'failed') return `${full} is ${record.state}, not held`;
  return `${full} has failed, and its block has ended with it: rerun from there`;
}

export function planMessage(it: Interpreter, payload: SignalPayload): PlannedCommand {
  const { run } = it;
  const { to, content } = payload;
  if (to === undefined || content === undefined) return { outcome: 'unreadable', reason: 'message needs "to" and "content"' };
  const agents = Object.keys(run.plan.agents ?? {});
  if (!agents.includes(to)) return { outcome: 'misdirected', reason: `there is no agent "${to}"; agents: ${agents.join(', ') || 'none'}` };
  const reason = whyNoRoom(run, to, content);
  if (reason !== undefined) return { outcome: 'refused', reason };
  const from = payload.from ?? payload.by ?? 'human';
  return {
    apply: () => {
      addToInbox(run, to, from, payload);
      sendEnvelope(run, undefined, { from, to, intent: 'notify', payload: content, expect_response: false });
    },
  };
}
