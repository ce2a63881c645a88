import { formatPath, parseAddress } from '../../../plan/address';
import { CHILD_SIGNAL, type ChildNews, PARENT_SIGNAL, type ParentWord, readChildNews } from '../../../plan/child';
import { ThermidorFailure } from '../../../plan/failure';
import { isJsonObject, type Json } from '../../../plan/json';
import type { SignalPayload } from '../../../plan/signal';
import { budgetSleeper } from '../budget/sleeper';
import type { ChildGate } from '../gates/gate-view';
import { gateSleeper } from '../gates/gates';
import { holdsBehind } from '../gates/passed-gates';
import type { Interpreter } from '../interpreter';
import type { Planned } from '../orders/inbound';
import type { Run } from '../run';
import { childOf } from '../state/kept';
import type { ChildRecord } from './container-record';
import { keepLateChild } from './ended-child';
import { type Line, openLine } from './line';
import { startedWakes } from './started';

/** A run's side of the line to its child pipelines: what they say, and what is said to them. */

const lines = new WeakMap<ChildRecord, Line>();

/** Undefined before the child has started. */
export function lineToChild(it: Interpreter, path: string, child: ChildRecord): Line | undefined {
  const known = lines.get(child);
  if (known || child.line.run === undefined) return known;
  const { workflowId, line } = child;
  const opened = openLine(it.run, {
    other: { workflowId, run: child.line.run },
    cursor: line,
    wake: () => it.run.ctx.signal(workflowId, PARENT_SIGNAL, {}),
    take(says) {
      const news = readChildNews(says);
      if (news && childOf(it.run.state.records[path]) === child) takeNews(it, path, child, news);
    },
  });
  lines.set(child, opened);
  return opened;
}

/** A signal in a child's name, which anybody can send: it makes the run look into the child's ledger, and nothing more. */
export function childWakes(it: Interpreter, payload: unknown): void {
  const { run } = it;
  if (startedWakes(it, payload)) return;
  const step = isJsonObject(payload) ? payload['step'] : undefined;
  const address = typeof step === 'string' ? parseAddress(step) : undefined;
  const path = address && formatPath(address.path);
  const child = path !== undefined && Object.hasOwn(run.state.records, path) ? childOf(run.state.records[path]) : undefined;
  if (path === undefined || !child || run.address(path) !== step) noteLate(run);
  else if (child.line.run === undefined) child.line.woken = true;
  else if (!child.ended) lineToChild(it, path, child)?.woken();
}

const late = new WeakMap<Run, number>();
const LATE_NOTED = 100;

/** Of the first in an execution: a flood of them is no news. */
function noteLate(run: Run): void {
  const many = (late.get(run) ?? 0) + 1;
  late.set(run, many);
  if (many > LATE_NOTED) return;
  run.journal.add({ kind: 'signal', name: CHILD_SIGNAL, outcome: 'late', reason: 'a message of a child pipeline that no step waits for' });
}

function takeNews(it: Interpreter, path: string, child: ChildRecord, news: ChildNews): void {
  const { run } = it;
  if (child.ended) return;
  if (news.kind === 'gates') {
    child.gates = news.gates;
    const record = run.record(path);
    if (news.gates.some(holdsBehind)) record.within = { eyes: true, ...record.within };
    child.state = news.state;
    if (news.held) child.held = news.held;
    else delete child.held;
    it.changed('gates');
    return;
  }
  if (news.kind === 'short') {
    child.short = news.amounts;
    run.wake(childSleeper(path));
    return;
  }
  if (news.kind === 'spent') {
    child.spent = { amounts: news.amounts, ...(news.unknownCost ? { unknownCost: true } : {}) };
    return;
  }
  child.ended = news;
  const record = run.record(path);
  if (news.eyes && (record.within?.eyes || news.eyes.by.length > 0)) record.within = { ...record.within, eyes: news.eyes };
  child.gates = [];
  delete child.held;
  keepLateChild(it, path, child);
  run.wake(childSleeper(path));
  // Where it was about to be given more, nobody needs that now.
  run.wake(gateSleeper(path));
  run.wake(budgetSleeper(run.address(path)));
  it.changed('gates');
}

export function childSleeper(path: string): string {
  return `child:${path}`;
}

/** Takes a decision to the child whose gate it is for, and with it the run that a proof in it is sealed for. */
export function planChildDecision(
  it: Interpreter,
  gate: ChildGate,
  name: string,
  payload: SignalPayload,
  sealedFor = it.run.ctx.info.workflowId,
): Planned {
  const { run } = it;
  const child = childOf(run.state.records[gate.path]);
  if (!child) return { outcome: 'late', reason: `the gate of ${gate.view.step} is closed` };
  return {
    step: gate.view.step,
    apply: () => {
      const sealed = payload.proof ? { sealedFor } : {};
      const word: ParentWord = { kind: 'signal', name, payload: withStep(payload, gate.step), ...sealed };
      run.spawn(() => tell(it, gate.path, child, word));
      // Who hands their place on answers nothing.
      if (name === 'delegate') return;
      // Until the child says otherwise the gate counts as answered: of two at once the second is refused.
      child.gates = child.gates.filter((other) => other.step !== gate.step);
      if (child.gates.length === 0) child.state = 'running';
      it.changed('gates');
    },
  };
}

function withStep(payload: SignalPayload, step: string): Json {
  return { ...Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined)), step };
}

/** A child that is gone has said, or will be found to have said, how it ended. */
export async function tell(it: Interpreter, path: string, child: ChildRecord, word: ParentWord): Promise<void> {
  const { run } = it;
  try {
    const line = lineToChild(it, path, child);
    if (!line) throw new ThermidorFailure('child.lost', 'it has not started yet');
    await line.say(word);
  } catch (error) {
    if (!(error instanceof ThermidorFailure)) throw error;
    const reason = `child ${child.workflowId} does not accept it: ${error.message}`;
    run.journal.add({ kind: 'signal', name: word.kind === 'signal' ? word.name : word.kind, outcome: 'late', reason });
  }
}

/** Ends every child that is still going, and waits, not forever, until each has said that it ended. */
export async function endChildren(it: Interpreter): Promise<void> {
  const { run } = it;
  const going = run.index.live(run.state.records).flatMap(([path, record]) => {
    const child = childOf(record);
    return child && !child.ended ? [{ path, child }] : [];
  });
  const ends = going.map(({ path, child }) => {
    const line = lineToChild(it, path, child);
    // What an operator said comes first: it says why.
    if (line) void line.silent().then(() => run.ctx.cancelChild(child.workflowId));
    else run.ctx.cancelChild(child.workflowId);
    return run.sleepToTheEnd(childSleeper(path));
  });
  await Promise.all(ends);
}
