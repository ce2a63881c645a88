import { defined } from '../../plan/defined';
import type { EndContent } from '../../plan/run/end-content';
import { ThermidorFailure } from '../../plan/run/failure';
import { jsonText } from '../../plan/text/json-text';
import { ACCOUNT } from '../../records/accounts/account-log';
import { readPaid } from '../../records/accounts/read-paid';
import { paidSums } from '../../records/accounts/sum';
import type { RunKey } from '../../records/ledger';
import { ENDED_LOG, type EndedRun } from '../../records/runs/ended-run';
import type { EndedCost } from '../../records/runs/listed-end';
import { RUN_RECORD, readRunRecord } from '../../records/runs/run-record';
import { asJson } from '../../records/stored-json';
import type { Toolbox } from '../toolbox';
import { traceEnd } from '../traces/trace-journal';

type Stores = Pick<Toolbox, 'artifacts' | 'runs'>;

/** How a run ended, by its own word or the server's. */
export type End = Pick<EndedRun, 'execution' | 'pipeline' | 'state' | 'endedAt' | 'owner' | 'error' | 'reason'>;

/**
 * Stores the record of a run that has ended (`records/runs/ended-run.ts`). May run twice: of two lines with one end the later counts. A run
 * that never opened gets none. Fails as the ports do, but not because the run is too large: its record has less then.
 */
export async function recordEnd(toolbox: Toolbox, key: RunKey, end: End, content: EndContent | undefined): Promise<void> {
  const { ledger } = toolbox;
  const stored = await ledger.get(key, RUN_RECORD);
  if (stored === undefined) return;
  const { plan, startedAt, startedBy, parent } = readRunRecord(stored);
  const { execution, pipeline, state, endedAt, owner } = end;
  const shown = { run: key.workflowId, execution, pipeline, state, startedAt, endedAt, ...defined({ owner, parent: parent?.workflowId }) };
  const ended: EndedRun = {
    ...{ ...shown, ...end, plan },
    ...defined({ startedBy, content: content && (await storedContent(toolbox, content)) }),
  };
  await toolbox.ended?.note({ ...shown, firstRun: key.run }, await costOf(toolbox, key));
  await ledger.append(key, ENDED_LOG, asJson(ended));
  traceEnd(toolbox, key, end, content);
}

async function storedContent({ artifacts }: Stores, content: EndContent): Promise<EndedRun['content']> {
  const { state: _state, ...readable } = content;
  for (const [part, name] of [
    [content, 'ended.json'],
    [readable, 'ended-view.json'],
  ] as const) {
    try {
      return await artifacts.put(jsonText(part), { mediaType: 'application/json', name });
    } catch (error) {
      if (!(error instanceof ThermidorFailure && error.code === 'output.too-large')) throw error;
    }
  }
  return undefined;
}

async function costOf({ runs }: Stores, key: RunKey): Promise<EndedCost | undefined> {
  if (!runs) return undefined;
  // Before they are read: what is added meanwhile makes them differ from the record.
  const extent = await runs.extent(key, [ACCOUNT]);
  const paid = await readPaid(runs, [key]);
  return { extent, paid: paidSums(paid), ...defined({ first: paid[0]?.at, last: paid.at(-1)?.at }) };
}
