import type { EndContent } from '../../plan/run/end-content';
import { InvalidRecord, readEndedRun } from '../../records/runs/ended-run';
import { RUN_RECORD } from '../../records/runs/run-record';
import type { ActivityCall } from '../activity-call';
import type { Toolbox } from '../toolbox';
import { beginsAlone } from './begins-alone';
import { recordEnd } from './end-record';
import type { ClosedByServer } from './tell-closed';

/** Whether the record of an execution that has closed is to be written: its run opened here, and neither it nor a later one has one. */
export async function lacksRecord(
  { ledger }: Pick<Toolbox, 'ledger'>,
  { workflowId, run, execution, closedAt }: Pick<ClosedByServer, 'workflowId' | 'run' | 'execution' | 'closedAt'>,
): Promise<boolean> {
  const key = { workflowId, run };
  if ((await ledger.get(key, RUN_RECORD)) === undefined) return false;
  const known = await readEndedRun(ledger, key).catch(unreadable);
  return known === undefined || (known !== 'unreadable' && known.execution !== execution && known.endedAt < closedAt);
}

/** A line more makes it no better. */
function unreadable(error: unknown): 'unreadable' {
  if (error instanceof InvalidRecord) return 'unreadable';
  throw error;
}

/**
 * Writes the record of a run that only the server has ended, with the server's word. Returns whether this worker did: another may be about
 * to. `askRun`: what the run itself says, as it was then; undefined if no worker can replay it. Fails as the ports do, and as `askRun`.
 */
export async function recordClosed(
  toolbox: Toolbox,
  closed: ClosedByServer,
  signal: AbortSignal,
  askRun: () => Promise<EndContent | undefined>,
): Promise<boolean> {
  const { workflowId, run, execution, pipeline, code, reason, closedAt: endedAt } = closed;
  const key = { workflowId, run };
  const name = `run/record-${execution}`;
  const call: ActivityCall = { key, id: name, attempt: 1, signal, heartbeat: () => undefined };
  if (!(await beginsAlone(toolbox.ledger, call, name))) return false;
  const content = await askRun();
  const error = { code, message: reason };
  await recordEnd(toolbox, key, { execution, pipeline, state: 'failed', endedAt, error, ...owner(content) }, content);
  return true;
}

function owner(content: EndContent | undefined): { owner?: string } {
  return content?.view.owner === undefined ? {} : { owner: content.view.owner };
}
