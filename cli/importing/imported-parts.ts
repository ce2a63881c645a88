import { createHash } from 'node:crypto';
import { hasEnded } from '../../client/outcome';
import { defined } from '../../plan/defined';
import { type ArtifactRef, type ControlRef, readControlRef } from '../../plan/run/artifact';
import type { EndContent } from '../../plan/run/end-content';
import { JOURNAL_PAGE_ENTRIES, type JournalPage } from '../../plan/run/journal';
import { RUN_VERSION } from '../../plan/run/run-activities';
import type { RunView } from '../../plan/run/status';
import { isUnderWay } from '../../plan/run/step-state';
import { jsonText } from '../../plan/text/json-text';
import { accountLog } from '../../records/accounts/account-log';
import { type ExportedRun, filesOf } from '../../records/exports/exported-run';
import type { ReadableExport } from '../../records/exports/read-export';
import type { RunKey } from '../../records/ledger';
import { ENDED_LOG, type EndedRun } from '../../records/runs/ended-run';
import { IMPORT_RECORD, type ImportRecord, importedKey } from '../../records/runs/imported-run';
import { RUN_RECORD, type RunRecord } from '../../records/runs/run-record';
import { transcriptLog } from '../../records/transcripts/transcript-log';
import type { StorePart } from '../../records/transfer/store-part';
import { checkAccounts, checkJournal, checkRun, linesOf } from './check-run';

/**
 * What a store gets of an export. A run is there with its last part, the line of its end; the exported run is the last. Its plan comes as
 * an output: only `openRun` and `rerun` store what a run obeys.
 *
 * @param runs their ids, in the order in which they are stored
 */
export async function* importedParts(exported: ReadableExport, runs: readonly string[], at: Date): AsyncGenerator<StorePart> {
  const { manifest, read } = exported;
  for (const file of manifest.files) if (file.holds.kind === 'artifact') yield output(await read(file));
  for (const run of runs) yield* callParts(exported, importedKey(run, exported.sha256), at);
  for (const run of runs) yield* runParts(exported, importedKey(run, exported.sha256), at);
}

async function* callParts({ manifest, read }: ReadableExport, key: RunKey, at: Date): AsyncGenerator<StorePart> {
  const { document, calls } = filesOf(manifest, key.workflowId);
  const accounts = document('accounts');
  const byCall = new Map<string, string[]>();
  for (const { entry, line } of accounts ? checkAccounts(accounts.path, await read(accounts), key.workflowId) : []) {
    byCall.set(entry.call, [...(byCall.get(entry.call) ?? []), jsonText(line)]);
  }
  for (const [call, lines] of byCall) yield log(key, accountLog(call), lines, at);
  for (const file of calls('transcript')) {
    const lines = linesOf(file.path, await read(file)).map((line) => jsonText(line));
    yield log(key, transcriptLog(file.call), lines, at);
  }
  for (const file of calls('log')) {
    const bytes = await read(file);
    if (bytes.byteLength > 0) yield { kind: 'step-log', run: key, name: file.call, pieces: [{ start: 0, bytes }], addedAtMs: at.getTime() };
  }
}

async function* runParts({ manifest, read }: ReadableExport, key: RunKey, at: Date): AsyncGenerator<StorePart> {
  const { document } = filesOf(manifest, key.workflowId);
  const [runFile, journalFile, planFile] = [document('run'), document('journal'), document('plan')];
  if (!runFile || !journalFile) return;
  const told = checkRun(runFile.path, await read(runFile), key.workflowId);
  const plan = planRef(told.view, planFile);
  if (planFile) yield output(await read(planFile));
  const pages: JournalPage[] = [];
  const entries = checkJournal(journalFile.path, await read(journalFile));
  for (let from = 0; from < entries.length; from += JOURNAL_PAGE_ENTRIES) {
    const page = entries.slice(from, from + JOURNAL_PAGE_ENTRIES);
    const content = output(Buffer.from(jsonText(page)));
    yield content;
    pages.push({ fromSeq: from + 1, toSeq: from + page.length, ref: jsonRef(content) });
  }
  const wasOpen = !hasEnded(told.view.state);
  const view = viewHere(told.view, key, plan, manifest.exportedAt);
  const content = output(
    Buffer.from(jsonText({ view, ...defined({ result: told.result }), journal: { pages, entries: [] } } satisfies EndContent)),
  );
  yield content;
  const origin: ImportRecord = { exportedAt: manifest.exportedAt, importedAt: at.toISOString(), ...(wasOpen ? { wasOpen } : {}) };
  yield { kind: 'record', run: key, name: IMPORT_RECORD, value: jsonText(origin) };
  yield { kind: 'record', run: key, name: RUN_RECORD, value: jsonText(recordOf(told, plan, key)) };
  const ended = endOf(view, plan, told.parent?.run);
  const { run, execution, pipeline, state, startedAt, endedAt, owner, parent } = ended;
  const listed = { run, execution, pipeline, state, startedAt, endedAt, ...defined({ owner, parent }) };
  yield { kind: 'end', end: { ...listed, firstRun: key.run } };
  yield log(key, ENDED_LOG, [jsonText({ ...ended, content: jsonRef(content) })], at);
}

/** A run that had not ended does not continue here, and asks nobody. Its steps stay as they were, and take no more time. */
function viewHere(view: RunView, { run: firstRunId }: RunKey, plan: ControlRef<'plan'>, exportedAt: string): RunView {
  const here = { ...view, firstRunId, plan, offset: 0 };
  if (hasEnded(view.state)) return { ...here, endedAt: view.endedAt ?? exportedAt, gates: [] };
  const { held: _held, paused: _paused, pausedForSwarm: _swarm, ...rest } = here;
  const steps = view.steps.map((step) => (isUnderWay(step.state) ? { ...step, endedAt: exportedAt } : step));
  return { ...rest, steps, state: 'cancelled', endedAt: exportedAt, reason: `it was ${view.state} when it was exported`, gates: [] };
}

function endOf(view: RunView, plan: ControlRef<'plan'>, parent: string | undefined): EndedRun {
  const { run, runId: execution, pipeline, state, startedAt, endedAt = startedAt, owner, startedBy, error, reason } = view;
  const known = hasEnded(state) ? state : 'cancelled';
  return { run, execution, pipeline, state: known, startedAt, endedAt, plan, ...defined({ owner, parent, startedBy, error, reason }) };
}

/** Readers find logs, costs and children by it. Its args name no secret that anybody would resolve. */
function recordOf({ view, parent }: ExportedRun, plan: ControlRef<'plan'>, { run: imported }: RunKey): RunRecord {
  const { startedAt, startedBy } = view;
  const above = parent && { workflowId: parent.run, run: imported, step: parent.step };
  return { version: RUN_VERSION, plan, args: {}, startedAt, ...defined({ startedBy, parent: above }) };
}

/** Without a plan the digest is that of nothing: a record has one. */
function planRef({ pipeline, plan }: RunView, file: { sha256: string; sizeBytes: number } | undefined): ControlRef<'plan'> {
  const named = readControlRef(plan, 'plan');
  const { sha256, sizeBytes } = file ?? named ?? { sha256: createHash('sha256').digest('hex'), sizeBytes: 0 };
  return { kind: 'plan', sha256, sizeBytes, mediaType: 'application/json', name: `${pipeline}.plan.json` };
}

type Output = Extract<StorePart, { kind: 'content' }>;

function output(bytes: Buffer): Output {
  return { kind: 'content', of: 'output', sha256: createHash('sha256').update(bytes).digest('hex'), bytes };
}

function jsonRef({ sha256, bytes }: Output): ArtifactRef {
  return { sha256, sizeBytes: bytes.byteLength, mediaType: 'application/json' };
}

function log(run: RunKey, name: string, lines: readonly string[], at: Date): StorePart {
  return { kind: 'log', run, name, lines, addedAtMs: at.getTime() };
}
