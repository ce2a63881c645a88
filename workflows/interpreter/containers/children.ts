import { formatPath, parseAddress } from '../../../plan/address';
import { PARENT_SIGNAL, type ParentWord, readChildNews } from '../../../plan/child';
import { ThermidorFailure } from '../../../plan/failure';
import type { Json } from '../../../plan/json';
import type { SignalPayload } from '../../../plan/signal';
import { budgetSleeper } from '../budget/sleeper';
import type { ChildGate } from '../gates/gate-view';
import { gateSleeper } from '../gates/gates';
import type { Interpreter } from '../interpreter';
import type { Planned } from '../orders/inbound';
import type { Run } from '../run';
import type { ChildRecord } from './container-record';

/** A run's side of the talk with its child pipelines: what they tell, and what they are told. */

/** News of a child that this try of the step did not start are no news. */
export function receiveChildNews(it: Interpreter, payload: unknown): void {
  const { run } = it;
  const news = readChildNews(payload);
  const address = news && parseAddress(news.step);
  const path = address && formatPath(address.path);
  const record = path !== undefined && Object.hasOwn(run.state.records, path) ? run.state.records[path] : undefined;
  if (!news || path === undefined || !record?.child || run.address(path) !== news.step || record.child.ended) {
    run.journal.add({ kind: 'signal', name: 'thermidor:child', outcome: 'late', reason: 'news of a child pipeline that nobody waits for' });
    return;
  }
  if (news.kind === 'gates') {
    record.child.gates = news.gates;
    record.child.state = news.state;
    if (news.held) record.child.held = news.held;
    else delete record.child.held;
    it.changed('gates');
    return;
  }
  if (news.kind === 'short') {
    record.child.short = news.amounts;
    run.wake(childSleeper(path));
    return;
  }
  if (news.kind === 'spent') {
    record.child.spent = { amounts: news.amounts, ...(news.unknownCost ? { unknownCost: true } : {}) };
    return;
  }
  record.child.ended = news;
  record.child.gates = [];
  delete record.child.held;
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
  const child = run.state.records[gate.path]?.child;
  if (!child) return { outcome: 'late', reason: `the gate of ${gate.view.step} is closed` };
  return {
    step: gate.view.step,
    apply: () => {
      const sealed = payload.proof ? { sealedFor } : {};
      const word: ParentWord = { kind: 'signal', name, payload: withStep(payload, gate.step), ...sealed };
      run.spawn(() => tell(run, child, word));
      // Who hands their place on answers nothing.
      if (name === 'delegate') return;
      // Until the child says otherwise the gate counts as answered: of two at once the second is told so.
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
export async function tell(run: Run, child: ChildRecord, word: ParentWord): Promise<void> {
  try {
    await run.ctx.signal(child.workflowId, PARENT_SIGNAL, word);
  } catch (error) {
    if (!(error instanceof ThermidorFailure)) throw error;
    const reason = `child ${child.workflowId} does not take it: ${error.message}`;
    run.journal.add({ kind: 'signal', name: word.kind === 'signal' ? word.name : word.kind, outcome: 'late', reason });
  }
}

/** Ends every child that is still going, and waits, not for ever, until each has said that it ended. */
export async function endChildren(run: Run): Promise<void> {
  const going = Object.entries(run.state.records).filter(([, { child }]) => child && !child.ended);
  for (const [, { child }] of going) if (child) run.ctx.cancelChild(child.workflowId);
  await Promise.all(going.map(([path]) => run.sleepToTheEnd(childSleeper(path))));
}
