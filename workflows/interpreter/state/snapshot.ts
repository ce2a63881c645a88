import type { ControlRef } from '../../../plan/run/artifact';
import { bug } from '../../../plan/run/failure';
import { JOURNAL_PAGE_ENTRIES } from '../../../plan/run/journal';
import { isJsonObject } from '../../../plan/text/json';
import type { RunContext } from '../../run-context';
import type { Run } from '../run';
import { loadState } from './load';
import type { Snapshot } from './state';

/**
 * What one execution passes to the next, in the store. It contains at most a page of the journal. The activity decides how it is stored,
 * and writes only the changes of a large one (`activities/run/run-state.ts`).
 */
const SAVE_MS = 60_000;

export async function saveSnapshot(run: Run): Promise<ControlRef<'snapshot'>> {
  const { ctx, opened, state } = run;
  if (state.journal.tail.length >= JOURNAL_PAGE_ENTRIES) await run.journal.flush();
  const snapshot: Snapshot = { opened, state };
  return ctx.activity('saveState', { run: ctx.info.firstRunId, state: snapshot }, { local: true, kept: true, startToCloseMs: SAVE_MS });
}

/** Fails with `internal` if it is none. */
export async function loadSnapshot(ctx: RunContext, ref: ControlRef<'snapshot'>): Promise<Snapshot> {
  const stored: unknown = await loadState(ctx, ref);
  if (!isSnapshot(stored)) throw bug('the stored state of the run is invalid');
  return stored;
}

function isSnapshot(stored: unknown): stored is Snapshot {
  return isJsonObject(stored) && isJsonObject(stored['state']) && isJsonObject(stored['state']['records']);
}
