import { ClientProblem } from '../../client/client-problem';
import type { ThermidorClient } from '../../client/connect';
import { readJournal } from '../../client/read-journal';
import type { Plan } from '../../plan/plan';
import type { JournalEntry } from '../../plan/run/journal';
import type { RetryPolicy, Step } from '../../plan/steps/step';
import { everyStep } from '../../plan/steps/walk';
import type { ArtifactStore } from '../../records/artifact-store';
import { lastIdOf } from '../rendering/step-tree';

/** Lobster's line for each try of a step that failed and is followed by another, on standard error as it happens. */
export interface RetryLog {
  /** Prints a line for each try that has begun since the last call. */
  report(): Promise<void>;
}

const DELAY_MS = 1000;
const MAX_DELAY_MS = 30_000;
const FOLLOWS = /^try (\d+) follows$/;

/** A resumed run has reported its earlier tries already. */
export async function retryLog(
  { client, store, run, plan, fresh }: { client: ThermidorClient; store: ArtifactStore; run: string; plan: Plan; fresh: boolean },
  say: (line: string) => void,
): Promise<RetryLog> {
  const steps = new Map([...everyStep<Step>(plan.block.steps)].map((step) => [step.id, step]));
  if (![...steps.values()].some((step) => (step.retry?.max ?? 1) > 1)) return { report: async () => {} };
  let shownUpTo = 0;
  const read = async (): Promise<JournalEntry[]> => {
    const entries = await entriesAfter(client, store, run, shownUpTo);
    shownUpTo = entries.at(-1)?.seq ?? shownUpTo;
    return entries;
  };
  if (!fresh) await read();
  return {
    async report() {
      for (const entry of await read()) {
        const line = retryLine(entry, steps);
        if (line !== undefined) say(`${line}\n`);
      }
    },
  };
}

/** The new entries; none if the run does not answer: the next look reports them. */
async function entriesAfter(client: ThermidorClient, store: ArtifactStore, run: string, after: number): Promise<JournalEntry[]> {
  try {
    return await readJournal(client, run, store, after);
  } catch (error) {
    if (error instanceof ClientProblem) return [];
    throw error;
  }
}

export function retryLine(entry: JournalEntry, steps: ReadonlyMap<string, Step>): string | undefined {
  if (entry.kind !== 'step' || entry.error === undefined) return undefined;
  const step = steps.get(lastIdOf(entry.step));
  const next = Number(FOLLOWS.exec(entry.reason ?? '')?.[1]);
  if (step?.retry === undefined || !Number.isInteger(next)) return undefined;
  const attempt = next - 1;
  const waits = `Retrying in ${delayOf(step.retry, attempt - 1)}ms...`;
  return `[RETRY] Step '${step.as ?? step.id}' failed (attempt ${attempt}/${step.retry.max}): ${entry.error.message}. ${waits}`;
}

/** The delay by the policy; jitter shortens it by a share that only the run knows. */
function delayOf({ backoff, delayMs = DELAY_MS, maxDelayMs = MAX_DELAY_MS }: RetryPolicy, used: number): number {
  return Math.min(backoff === 'exponential' ? delayMs * 2 ** used : delayMs, maxDelayMs);
}
