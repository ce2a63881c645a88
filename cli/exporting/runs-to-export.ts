import { ClientProblem } from '../../client/client-problem';
import type { ThermidorClient } from '../../client/connect';
import { journalPages } from '../../client/read-journal';
import { readLiveRun } from '../../client/read-live-run';
import { readOutcome } from '../../client/read-outcome';
import { defined } from '../../plan/defined';
import { ThermidorFailure } from '../../plan/run/failure';
import type { JournalEntry } from '../../plan/run/journal';
import type { RunResult } from '../../plan/run/run-result';
import type { RunView } from '../../plan/run/status';
import { copyField } from '../../plan/text/spelled-json';
import type { ExportedRun } from '../../records/exports/exported-run';
import type { RunKey } from '../../records/ledger';
import type { Records } from '../../records/records';
import { childrenOf } from '../../records/runs/list-runs';
import { recordedView } from '../rerun/recorded-view';
import { type ShownContent, shownContent } from '../session/shown-content';

/** What an export is made from. */
export interface ExportSource {
  client: ThermidorClient;
  records: Records;
  env: NodeJS.ProcessEnv;
}

/** A run that is exported. */
export interface RunToExport {
  key: RunKey;
  exported: ExportedRun;
  /** The frozen plan as it was stored. Absent: the run never opened, or the store does not have it. */
  planText?: string;
  secrets: Pick<ShownContent, 'mask' | 'missing'>;
  /** The journal up to a number, a page at a time. */
  journal(to?: number): AsyncIterable<JournalEntry[]>;
}

/** A run and its children at any depth, the run first. @param left gets a child that does not answer, and why */
export async function runsToExport(source: ExportSource, run: string, left: (child: string, why: string) => void): Promise<RunToExport[]> {
  const runs = [await runToExport(source, run, undefined)];
  const children = await childrenOf(source.records, run);
  for (const { workflowId, record } of children.sort((a, b) => a.record.startedAt.localeCompare(b.record.startedAt))) {
    // A run of its own may have such a name, and an id that ran twice is there once.
    if (workflowId === undefined || record.parent === undefined || runs.some(({ key }) => key.workflowId === workflowId)) continue;
    const { workflowId: parent, step } = record.parent;
    try {
      runs.push(await runToExport(source, workflowId, { run: parent, step }));
    } catch (error) {
      if (!(error instanceof ClientProblem)) throw error;
      left(workflowId, error.message);
    }
  }
  const known = new Set(runs.map(({ key }) => key.workflowId));
  return runs.filter(({ exported: { parent } }) => parent === undefined || known.has(parent.run));
}

async function runToExport({ client, records, env }: ExportSource, run: string, parent: ExportedRun['parent']): Promise<RunToExport> {
  const view = await recordedView(await readLiveRun(client, run), () => records);
  const planText = await planOf(view, records);
  return {
    key: { workflowId: run, run: view.firstRunId },
    exported: { view, ...defined({ result: await resultOf(view, client), parent }) },
    ...defined({ planText }),
    secrets: await shownContent(records, view, env),
    async *journal(to = Number.POSITIVE_INFINITY) {
      for await (const page of journalPages(client, run, records.artifacts)) yield page.filter(({ seq }) => seq <= to);
    },
  };
}

async function resultOf({ run, state }: RunView, client: ThermidorClient): Promise<RunResult | undefined> {
  if (state !== 'completed' && state !== 'rejected') return undefined;
  const outcome = await readOutcome(client, run);
  if (outcome === undefined) return undefined;
  const { artifacts = {}, reason } = outcome;
  const result: RunResult = { status: state, output: null, artifacts, ...defined({ reason }) };
  copyField(outcome, 'output', result);
  return result;
}

async function planOf({ plan }: RunView, { control }: Records): Promise<string | undefined> {
  try {
    return plan && (await control.get(plan)).toString('utf8');
  } catch (error) {
    if (error instanceof ThermidorFailure && error.code === 'artifact.missing') return undefined;
    throw error;
  }
}
