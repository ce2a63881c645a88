import { QueryNotRegisteredError, QueryRejectedError, WorkflowNotFoundError } from '@temporalio/client';
import type { ArtifactRef } from '../plan/artifact';
import type { ControlPlan } from '../plan/control';
import type { JournalEntry, JournalQuery, JournalView } from '../plan/journal';
import type { Json } from '../plan/json';
import { type RunView, STATUS_PAGE, type StatusQuery } from '../plan/status';
import type { ThermidorClient } from './connect';
import { ClientProblem } from './problem';
import { grpcCause } from './server-error';

/**
 * What a run says of itself, by query. A closed run answers as an open one does, as long as a worker is there.
 * All fail with `worker.missing` where none is.
 */

/** The run with all its steps, however many pages they are. One that is still opening has none, and no times. */
export async function readStatus(client: ThermidorClient, run: string, limitMs?: number): Promise<RunView> {
  const whole = await query<RunView, [StatusQuery]>(client, run, 'status', [{ offset: 0, limit: STATUS_PAGE }], limitMs);
  const steps = [...whole.steps];
  while (steps.length < (whole.totalSteps ?? 0)) {
    const page = await query<RunView, [StatusQuery]>(client, run, 'status', [{ offset: steps.length, limit: STATUS_PAGE }], limitMs);
    if (page.steps.length === 0) break;
    steps.push(...page.steps);
  }
  return { ...whole, steps, totalSteps: steps.length };
}

/** What controls the run; the whole frozen plan is in the store, under the reference that `status` gives. */
export function readPlan(client: ThermidorClient, run: string): Promise<ControlPlan> {
  return query<ControlPlan, []>(client, run, 'plan', []);
}

/** Where journal pages that left workflow state are read from. */
export type ReadArtifact = (ref: ArtifactRef) => Promise<Json>;

/** Journal entries after number `after`, in order. */
export async function readJournal(client: ThermidorClient, run: string, readArtifact: ReadArtifact, after = 0): Promise<JournalEntry[]> {
  const view = await query<JournalView, [JournalQuery]>(client, run, 'journal', [{ after }]);
  const entries: JournalEntry[] = [];
  for (const page of view.pages) {
    if (page.toSeq <= after) continue;
    const content = await readArtifact(page.ref);
    if (Array.isArray(content)) entries.push(...(content as unknown[]).filter(isEntry));
  }
  entries.push(...view.entries);
  const bySeq = new Map(entries.filter((entry) => entry.seq > after).map((entry) => [entry.seq, entry]));
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq);
}

function isEntry(value: unknown): value is JournalEntry {
  return typeof value === 'object' && value !== null && 'seq' in value && 'kind' in value;
}

async function query<Answer, Args extends unknown[]>(
  client: ThermidorClient,
  run: string,
  name: string,
  args: Args,
  limitMs?: number,
): Promise<Answer> {
  const ask = () => client.call(() => client.temporal.workflow.getHandle(run).query<Answer, Args>(name, ...args), limitMs);
  try {
    return await ask().catch((error: unknown) => {
      if (!isDropped(error)) throw error;
      return ask();
    });
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) throw new ClientProblem('run.not-found', `there is no run "${run}"`, { cause: error });
    if (!(error instanceof QueryNotRegisteredError || error instanceof QueryRejectedError)) throw error;
    throw new ClientProblem('run.unreadable', `run "${run}" does not answer the query "${name}": ${error.message}`, {
      hint: `see what happened with: temporal workflow show -w ${run} --address ${client.address}`,
      cause: error,
    });
  }
}

/** A question that was on its way when the run went on in a fresh execution: that one answers it. */
function isDropped(error: unknown): boolean {
  return grpcCause(error)?.code === GRPC_CANCELLED;
}
const GRPC_CANCELLED = 1;
