import { defined } from '../../../plan/defined';
import { CHILD_SIGNAL, type ChildMessage, PARENT_SIGNAL, type ParentMessage, readChildMessage } from '../../../plan/run/child';
import { ThermidorFailure } from '../../../plan/run/failure';
import type { SignalPayload } from '../../../plan/run/signal';
import { isSettled } from '../../../plan/run/step-state';
import { formatPath, parseAddress } from '../../../plan/steps/address';
import { joined } from '../../../plan/text/joined';
import { isJsonObject, type JsonObject } from '../../../plan/text/json';
import { settleStepBudget } from '../budget/settle-step';
import { budgetWakeKey } from '../budget/wake-key';
import type { ChildGate } from '../gates/gate-view';
import { gateWakeKey } from '../gates/gates';
import { coversLaterSteps } from '../gates/passed-gates';
import type { PlannedCommand } from '../inbound/planned-command';
import type { Interpreter } from '../interpreter';
import type { Run } from '../run';
import { childStateOf } from '../state/kind-state';
import { keepLateChild } from './completed-children';
import type { ChildRecord } from './container-record';
import { openRunMessages, type RunMessages } from './run-messages';
import { onStartedRunSignal } from './started-runs';

/** A run's side of the line to its child pipelines: messages from and to them. */

const lines = new WeakMap<ChildRecord, RunMessages>();

/** Undefined before the child has started. */
export function messagesToChild(it: Interpreter, path: string, child: ChildRecord): RunMessages | undefined {
  const known = lines.get(child);
  if (known || child.line.run === undefined) return known;
  const { workflowId, line } = child;
  const opened = openRunMessages(it.run, {
    other: { workflowId, run: child.line.run },
    cursor: line,
    wake: () => it.run.ctx.signal(workflowId, PARENT_SIGNAL, {}),
    take(says) {
      const news = readChildMessage(says);
      if (news && childStateOf(it.run.state.records[path]) === child) takeNews(it, path, child, news);
    },
  });
  lines.set(child, opened);
  return opened;
}

/** A signal in a child's name, which anybody can send: it makes the run look into the child's ledger, and nothing more. */
export function onChildSignal(it: Interpreter, payload: unknown): void {
  const { run } = it;
  if (onStartedRunSignal(it, payload)) return;
  const step = isJsonObject(payload) ? payload['step'] : undefined;
  const address = typeof step === 'string' ? parseAddress(step) : undefined;
  const path = address && formatPath(address.path);
  const child = path !== undefined && Object.hasOwn(run.state.records, path) ? childStateOf(run.state.records[path]) : undefined;
  if (path === undefined || !child || run.address(path) !== step) noteLate(run);
  else if (child.line.run === undefined) child.line.woken = true;
  else if (!child.ended) messagesToChild(it, path, child)?.woken();
}

const late = new WeakMap<Run, number>();
const LATE_NOTED = 100;

/** The first in an execution: a flood of them is no news. */
function noteLate(run: Run): void {
  const many = (late.get(run) ?? 0) + 1;
  late.set(run, many);
  if (many > LATE_NOTED) return;
  run.journal.add({ kind: 'signal', name: CHILD_SIGNAL, outcome: 'late', reason: 'a message of a child pipeline that no step waits for' });
}

function takeNews(it: Interpreter, path: string, child: ChildRecord, news: ChildMessage): void {
  const { run } = it;
  if (child.ended) return;
  if (news.kind === 'gates') {
    child.gates = news.gates;
    const record = run.record(path);
    if (news.gates.some(coversLaterSteps)) record.within = { eyes: true, ...record.within };
    child.state = news.state;
    if (news.held) child.held = news.held;
    else delete child.held;
    it.changed('gates');
    return;
  }
  if (news.kind === 'short') {
    child.short = news.amounts;
    run.wake(childWakeKey(path));
    return;
  }
  if (news.kind === 'spent') {
    child.spent = { amounts: news.amounts, ...defined({ unknownCost: news.unknownCost || undefined }) };
    return;
  }
  child.ended = news;
  const record = run.record(path);
  if (news.eyes && (record.within?.eyes || news.eyes.by.length > 0)) record.within = { ...record.within, eyes: news.eyes };
  child.gates = [];
  delete child.held;
  if (isSettled(record.state)) settleStepBudget(it, path);
  keepLateChild(it, path, child);
  run.wake(childWakeKey(path));
  // If it was about to be given more, nobody needs that now.
  run.wake(gateWakeKey(path));
  run.wake(budgetWakeKey(run.address(path)));
  it.changed('gates');
}

export function childWakeKey(path: string): string {
  return `child:${path}`;
}

/** Takes a decision to the child with the gate, together with the run for which a proof in it is sealed. */
export function planChildDecision(
  it: Interpreter,
  gate: ChildGate,
  name: string,
  payload: SignalPayload,
  sealedFor = it.run.ctx.info.workflowId,
): PlannedCommand {
  const { run } = it;
  const child = childStateOf(run.state.records[gate.path]);
  if (!child) return { outcome: 'late', reason: `the gate of ${gate.view.step} is closed` };
  return {
    step: gate.view.step,
    apply: () => {
      const sealed = payload.proof ? { sealedFor } : {};
      const word: ParentMessage = { kind: 'signal', name, payload: withStep(payload, gate.step), ...sealed };
      run.spawn(() => sendToChild(it, gate.path, child, word));
      // Delegating is not an answer.
      if (name === 'delegate') return;
      // Until the child says otherwise the gate counts as answered: of two at once the second is refused.
      child.gates = child.gates.filter((other) => other.step !== gate.step);
      if (child.gates.length === 0) child.state = 'running';
      it.changed('gates');
    },
  };
}

function withStep(payload: SignalPayload, step: string): JsonObject {
  return joined<JsonObject>(payload, { step });
}

/** A child that is gone has reported how it ended, or its end will be found. */
export async function sendToChild(it: Interpreter, path: string, child: ChildRecord, word: ParentMessage): Promise<void> {
  const { run } = it;
  try {
    const line = messagesToChild(it, path, child);
    if (!line) throw new ThermidorFailure('child.lost', 'it has not started yet');
    await line.say(word);
  } catch (error) {
    if (!(error instanceof ThermidorFailure)) throw error;
    const reason = `child ${child.workflowId} does not accept it: ${error.message}`;
    run.journal.add({ kind: 'signal', name: word.kind === 'signal' ? word.name : word.kind, outcome: 'late', reason });
  }
}

export function childrenInProgress(run: Run): { path: string; child: ChildRecord }[] {
  return run.index.live(run.state.records).flatMap(([path, record]) => {
    const child = childStateOf(record);
    return child && !child.ended ? [{ path, child }] : [];
  });
}

/** Ends every child that is still going, for that reason, and waits, not forever, until each has said that it ended. */
export async function endChildren(it: Interpreter, reason: string | undefined): Promise<void> {
  const { run } = it;
  const ends = childrenInProgress(run).map(({ path, child }) => {
    const line = messagesToChild(it, path, child);
    // What an operator said comes first: it says why.
    if (line) void line.silent().then(() => run.ctx.cancelChild(child.workflowId, reason));
    else run.ctx.cancelChild(child.workflowId, reason);
    return run.sleepToTheEnd(childWakeKey(path));
  });
  await Promise.all(ends);
}
