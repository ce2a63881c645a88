import type { RunRequest, StartedRunView } from '../../../plan/agents/run-request';
import { defined } from '../../../plan/defined';
import { CHILD_SIGNAL, readChildMessage } from '../../../plan/run/child';
import { ThermidorFailure } from '../../../plan/run/failure';
import type { ReadMessages } from '../../../plan/run/run-messages';
import { isJsonObject, type Json } from '../../../plan/text/json';
import type { Interpreter } from '../interpreter';
import { sendEnvelope } from '../messages/envelopes';
import { addToInbox } from '../messages/inbox';
import type { Run } from '../run';
import type { Place } from '../scheduling/place';
import type { StartedRecord } from '../state/state';
import { QUICK_ACTIVITY_MS, SHORT_ACTIVITY_MS } from '../steps/activity-timeouts';
import type { ChildEndMessage } from './parent-run';

/**
 * Runs that agents have started. Each is a run of its own: nobody waits for it, its gates and budgets are its own, and the end of this run
 * does not touch it. It records its end in its own ledger and wakes this run, which looks there and believes no signal.
 */

type Start = RunRequest & { kind: 'start' };

const LOCAL = { local: true, kept: true, startToCloseMs: SHORT_ACTIVITY_MS } as const;

/** Its order is in this run's ledger before it starts. The same run is started once, whatever try asks for it. */
export async function startRequestedRun(it: Interpreter, place: Place, start: Start): Promise<void> {
  const { run } = it;
  const { workflowId, pipeline, agent, args } = start;
  run.state.started ??= {};
  const { started } = run.state;
  if (Object.hasOwn(started, workflowId)) return;
  const record: StartedRecord = { agent, pipeline, path: place.path };
  try {
    const order = { run: run.ctx.info.firstRunId, start };
    await run.activity(place, 'childInput', order, { address: `${start.id}/input`, startToCloseMs: QUICK_ACTIVITY_MS });
    const { workflowId: own, firstRunId } = run.ctx.info;
    const input = { parent: { workflowId: own, run: firstRunId, step: stepOf(start) } };
    const payload = { run: workflowId, pipeline, args };
    sendEnvelope(run, place.path, { from: agent, to: pipeline, intent: 'assign_task', payload, expect_response: true });
    const begun = await run.ctx.startChild({ workflowId, workflowType: pipeline, input, independent: true });
    record.run = begun.run;
    started[workflowId] = record;
    void begun.closed.then(() => hearLater(it, workflowId, 'closed'));
  } catch (error) {
    if (!(error instanceof ThermidorFailure)) throw error;
    started[workflowId] = record;
    noteEnd(it, workflowId, record, { state: 'failed', code: error.code, message: error.message });
  }
}

/** The try that asked for it, which is not always the one that returns the request. */
function stepOf({ id }: Start): string {
  return /^[^#~]+#\d+~\d+/.exec(id)?.[0] ?? id;
}

/** Runs of an agent that are not known to have ended. */
export function runsStartedBy({ state }: Run, agent: string): { started?: StartedRunView[] } {
  const going = Object.entries(state.started ?? {}).flatMap(([workflowId, { agent: by, run }]) =>
    by === agent && run !== undefined ? [{ workflowId, run }] : [],
  );
  return going.length > 0 ? { started: going } : {};
}

/** A signal that anybody can send. Returns whether it is about a run that an agent has started. */
export function onStartedRunSignal(it: Interpreter, payload: unknown): boolean {
  const workflowId = isJsonObject(payload) ? payload['started'] : undefined;
  if (typeof workflowId !== 'string' || !Object.hasOwn(it.run.state.started ?? {}, workflowId)) return false;
  hearLater(it, workflowId);
  return true;
}

/** Runs that may have ended while nobody listened. */
export function resumeStartedRuns(it: Interpreter): void {
  for (const workflowId of Object.keys(it.run.state.started ?? {})) hearLater(it, workflowId);
}

/** News during a look: one more look follows. */
const looks = new WeakMap<StartedRecord, { again: boolean; closed?: 'closed' }>();

function hearLater(it: Interpreter, workflowId: string, closed?: 'closed'): void {
  const { run } = it;
  const record = run.state.started?.[workflowId];
  if (!record || record.ended !== undefined || run.ending) return;
  const look = looks.get(record);
  if (look) Object.assign(look, { again: true }, closed && { closed });
  else run.background(() => hearInTurn(it, workflowId, record, closed));
}

async function hearInTurn(it: Interpreter, workflowId: string, record: StartedRecord, closed?: 'closed'): Promise<void> {
  const look: { again: boolean; closed?: 'closed' } = { again: true, ...defined({ closed }) };
  looks.set(record, look);
  try {
    while (look.again && record.ended === undefined) {
      look.again = false;
      await hear(it, workflowId, record, look.closed);
    }
  } finally {
    looks.delete(record);
  }
}

async function hear(it: Interpreter, workflowId: string, record: StartedRecord, closed?: 'closed'): Promise<void> {
  const { run } = it;
  if (record.run === undefined) return;
  const input = { run: run.ctx.info.firstRunId, from: { workflowId, run: record.run }, after: 0 };
  const { says }: ReadMessages = await run.ctx.activity('hear', input, LOCAL);
  if (record.ended !== undefined) return;
  const end = says.map(readChildMessage).find((news) => news?.kind === 'ended');
  if (end?.kind === 'ended') noteEnd(it, workflowId, record, ending(end));
  else if (closed) noteEnd(it, workflowId, record, { state: 'failed', code: 'child.lost', message: 'it ended without a message' });
}

function ending(end: ChildEndMessage): Record<string, Json> {
  switch (end.state) {
    case 'completed':
      return { state: end.state, ...('artifact' in end.output ? { artifact: { ...end.output.artifact } } : {}) };
    case 'failed':
      return { state: end.state, code: end.code, message: end.message };
    default:
      return { state: end.state, reason: end.reason };
  }
}

/** Into the journal, and into the inbox of the agent, which reads it with its next task. */
function noteEnd(it: Interpreter, workflowId: string, record: StartedRecord, end: Record<string, Json>): void {
  const { run } = it;
  const { agent, pipeline, path } = record;
  record.ended = String(end['state']);
  const content = { run: workflowId, pipeline, ...end };
  sendEnvelope(run, path, { from: pipeline, to: agent, intent: 'deliver_report', payload: content, expect_response: false });
  addToInbox(run, agent, pipeline, { content });
  it.changed();
}

/** Reports the end of a run that another run's agent has started. If the other one is over, nobody is informed. */
export async function reportToStarter(run: Run, end: ChildEndMessage): Promise<void> {
  const { startedFrom } = run.opened;
  if (!startedFrom) return;
  const { workflowId, run: first, step } = startedFrom;
  const said = [{ by: run.ctx.info.runId, n: 1, for: first, says: { step, ...end } as Json }];
  await run.ctx.activity('say', { run: run.ctx.info.firstRunId, to: workflowId, said }, LOCAL);
  try {
    await run.ctx.signal(workflowId, CHILD_SIGNAL, { started: run.ctx.info.workflowId });
  } catch (error) {
    if (!(error instanceof ThermidorFailure)) throw error;
    run.journal.add({ kind: 'signal', name: CHILD_SIGNAL, outcome: 'late', reason: `the run of ${startedFrom.agent} is over` });
  }
}
