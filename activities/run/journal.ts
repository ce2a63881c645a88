import { defined } from '../../plan/defined';
import type { ArtifactRef } from '../../plan/run/artifact';
import type { EndContent } from '../../plan/run/end-content';
import type { JournalInput } from '../../plan/run/run-activities';
import { RUN_END_STATES } from '../../plan/run/run-end';
import { writeJournalPage } from '../../records/journal/journal-pages';
import type { ActivityCall } from '../activity-call';
import type { Toolbox } from '../toolbox';
import { keepLastingGrant } from '../tools/brief-authorisation';
import { tracePage } from '../traces/trace-journal';
import { recordEnd } from './end-record';

/**
 * Stores a page of the journal, and before it the lasting grants that people have given in it; returns its reference, unless it is the
 * run's last. With the last page, which may be empty, it stores the record of the run, and removes empty folders of its steps: no step
 * works any more. May run twice.
 */
export async function journal(
  toolbox: Toolbox,
  { key }: Pick<ActivityCall, 'key'>,
  { entries, last, end }: JournalInput,
): Promise<ArtifactRef | null> {
  const { artifacts, endWork } = toolbox;
  // The agent that asked may never go on, and what the journal says of a person's answer holds all the same.
  for (const entry of entries) if (entry.kind === 'grant' && entry.event === 'always') await keepLastingGrant(toolbox, key, entry);
  const ref = entries.length > 0 ? await writeJournalPage(artifacts, entries) : null;
  if (!last) {
    tracePage(toolbox, key, entries);
    return ref;
  }
  if (end) await record(toolbox, key, end);
  await endWork?.(key.workflowId);
  return null;
}

async function record(toolbox: Toolbox, key: ActivityCall['key'], end: EndContent): Promise<void> {
  const { runId: execution, pipeline, owner, error, reason, endedAt, ...view } = end.view;
  const state = RUN_END_STATES.find((one) => one === view.state);
  if (state === undefined || endedAt === undefined) return;
  await recordEnd(toolbox, key, { execution, pipeline, state, endedAt, ...defined({ owner, error, reason }) }, end);
}
