import type { WorkflowExecutionInfo } from '@temporalio/client';
import { QUEUE_WORKFLOW } from '../plan/queue/ticket';
import type { RunMemo } from '../plan/run/run-memo';
import type { SearchAttributeName } from '../plan/run/search-attributes';
import { RUN_STATES, type RunState } from '../plan/run/status';
import { isJsonObject } from '../plan/text/json';
import type { ThermidorClient } from './connect';
import { executionsOf } from './executions';
import { hasEnded, type RunOutcome } from './outcome';
import type { RunSummary } from './run-summary';

export interface RunFilter {
  state?: RunState;
  pipeline?: string;
  /** Only runs with an open gate. */
  waiting?: boolean;
  /** Only runs that have something for people: an open gate, or a letter. */
  forPeople?: boolean;
  /** Only runs that have not ended. */
  open?: boolean;
  /** Runs of child pipelines too. */
  children?: boolean;
  /** Only runs whose id has this beginning. */
  startsWith?: string;
  /** Only runs that have ended. */
  ended?: boolean;
  /** Only those that had by then, ISO 8601. */
  closedUntil?: string;
  /** @default 50 */
  limit?: number;
}

/** Runs, newest first. @param indexed the server has the attributes of runs, which makes it faster */
export async function listRuns(client: ThermidorClient, filter: RunFilter = {}, indexed = false): Promise<RunSummary[]> {
  const found: RunSummary[] = [];
  // The server lists the newest of an id first: a run that was reset, or whose id was reused, is one line.
  const seen = new Set<string>();
  const limit = filter.limit ?? 50;
  for await (const info of executionsOf(client, visibilityQuery(client.taskQueue, filter, indexed))) {
    if (seen.has(info.workflowId)) continue;
    seen.add(info.workflowId);
    const summary = summaryOf(info);
    if (!fitsRunFilter(summary, filter)) continue;
    found.push(summary);
    if (found.length >= limit) break;
  }
  return found.sort((a, b) => b.startedAt.localeCompare(a.startedAt));
}

/**
 * Narrows by attributes that every server knows; `indexed`: and by the state, where the server has that attribute. A run that a worker
 * began before it had it shows none, so state and gates, which are in the memo, are matched afterwards in any case.
 */
export function visibilityQuery(taskQueue: string, filter: RunFilter, indexed = false): string {
  const terms = [`TaskQueue = ${quoted(taskQueue)}`, "ExecutionStatus != 'ContinuedAsNew'", `WorkflowType != ${quoted(QUEUE_WORKFLOW)}`];
  if (filter.pipeline !== undefined) terms.push(`WorkflowType = ${quoted(filter.pipeline)}`);
  if (filter.startsWith !== undefined) terms.push(`WorkflowId STARTS_WITH ${quoted(filter.startsWith)}`);
  const { state } = filter;
  const isOpen = filter.open || filter.waiting || filter.forPeople || (state !== undefined && OPEN_STATES.has(state));
  if (isOpen) terms.push("ExecutionStatus = 'Running'");
  if (filter.ended) terms.push("ExecutionStatus != 'Running'");
  if (filter.closedUntil !== undefined) terms.push(`CloseTime <= ${quoted(filter.closedUntil)}`);
  if (state !== undefined && hasEnded(state)) terms.push(`ExecutionStatus IN (${STATUSES_OF[state].map(quoted).join(', ')})`);
  if (state !== undefined && indexed && isIndexed(state)) terms.push(`(${STATE} = ${quoted(state)} OR ${STATE} IS NULL)`);
  // A run that has never waited has no such attribute; one with a state has every attribute that it needs (worker/search-attributes.ts).
  if ((filter.waiting || filter.forPeople) && indexed) terms.push(`(${WAITING_FOR} != '' OR ${STATE} IS NULL)`);
  return terms.join(' AND ');
}

const STATE: SearchAttributeName = 'ThermidorState';
const WAITING_FOR: SearchAttributeName = 'ThermidorWaitingFor';
const STATUSES_OF: Readonly<Record<RunOutcome['state'], readonly string[]>> = {
  completed: ['Completed'],
  rejected: ['Completed'],
  failed: ['Failed', 'Terminated', 'TimedOut'],
  cancelled: ['Canceled'],
};

/** Whether the run itself writes its state: of a run that the server ended the attribute has an earlier one. */
function isIndexed(state: RunState): boolean {
  return state !== 'failed' && state !== 'cancelled';
}

const OPEN_STATES: ReadonlySet<RunState> = new Set<RunState>(['running', 'waiting', 'held', 'paused']);

export function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

export function fitsRunFilter(run: RunSummary, filter: RunFilter): boolean {
  if (run.parent !== undefined && !filter.children) return false;
  if (filter.state !== undefined && run.state !== filter.state) return false;
  if (filter.ended && !hasEnded(run.state)) return false;
  if (filter.forPeople && !run.letters && run.gates.length === 0) return false;
  return !filter.waiting || run.gates.length > 0;
}

/** The part of an execution that a summary is made from; a list's entry and a description both have it. */
type ExecutionInfo = Pick<WorkflowExecutionInfo, 'workflowId' | 'runId' | 'type' | 'startTime'> & {
  status: { name: string };
  memo?: Record<string, unknown> | undefined;
  closeTime?: Date | undefined;
};

export function summaryOf(info: ExecutionInfo): RunSummary {
  const memo = readMemo(info.memo);
  const open = isOpen(info.status.name);
  const summary: RunSummary = {
    run: info.workflowId,
    runId: info.runId,
    pipeline: info.type,
    state: stateOf(info.status.name, memo.state),
    startedAt: startOf(info.startTime, memo.startedAt),
    gates: open ? memo.gates : [],
  };
  if (memo.owner !== undefined) summary.owner = memo.owner;
  if (memo.parent !== undefined) summary.parent = memo.parent;
  if (open && memo.letters) summary.letters = memo.letters;
  if (info.closeTime !== undefined) summary.endedAt = info.closeTime.toISOString();
  return summary;
}

/** The server lists when the execution started; the run started earlier if it has continued as new. */
function startOf(execution: Date, handedOn: string | undefined): string {
  const at = handedOn === undefined ? Number.NaN : Date.parse(handedOn);
  return new Date(at < execution.getTime() ? at : execution).toISOString();
}

/** `CONTINUED_AS_NEW` is one execution's end and not the run's; an unknown status is no end either. */
const CLOSED: ReadonlySet<string> = new Set(['COMPLETED', 'FAILED', 'CANCELLED', 'CANCELED', 'TERMINATED', 'TIMED_OUT']);

export function isOpen(status: string): boolean {
  return !CLOSED.has(status);
}

/** The server knows whether a run is closed and how; the memo knows the rest. */
export function stateOf(status: string, remembered: RunState | undefined): RunState {
  if (status === 'PAUSED') return 'paused';
  if (isOpen(status)) return remembered !== undefined && OPEN_STATES.has(remembered) ? remembered : 'running';
  switch (status) {
    case 'COMPLETED':
      return remembered === 'rejected' ? 'rejected' : 'completed';
    case 'CANCELLED':
    case 'CANCELED':
      return 'cancelled';
    default:
      return 'failed';
  }
}

/** Reads a memo leniently: a run of another version, or one that has only begun, may have none. */
export function readMemo(memo: Readonly<Record<string, unknown>> | undefined): Partial<RunMemo> & Pick<RunMemo, 'gates'> {
  const { state, owner, parent, startedAt, gates, letters } = memo ?? {};
  const read: Partial<RunMemo> & Pick<RunMemo, 'gates'> = { gates: Array.isArray(gates) ? gates.filter(isGate) : [] };
  const written = Array.isArray(letters) ? letters.filter(isLetter) : [];
  const known = RUN_STATES.find((name) => name === state);
  if (known !== undefined) read.state = known;
  if (typeof owner === 'string') read.owner = owner;
  if (typeof parent === 'string') read.parent = parent;
  if (typeof startedAt === 'string') read.startedAt = startedAt;
  if (written.length > 0) read.letters = written;
  return read;
}

function isGate(value: unknown): value is RunMemo['gates'][number] {
  return (
    isJsonObject(value) && typeof value['step'] === 'string' && typeof value['question'] === 'string' && Array.isArray(value['choices'])
  );
}

function isLetter(value: unknown): value is NonNullable<RunMemo['letters']>[number] {
  return isJsonObject(value) && ['step', 'from', 'to', 'content', 'at'].every((key) => typeof value[key] === 'string');
}
