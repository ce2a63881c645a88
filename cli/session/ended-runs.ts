import { ClientProblem } from '../../client/client-problem';
import { type EndedRuns, type RecordedEnd, summaryOfRecord } from '../../client/ended-runs';
import type { RunOutcome } from '../../client/outcome';
import type { RunSummary } from '../../client/run-summary';
import { defined } from '../../plan/defined';
import type { EndContent } from '../../plan/run/end-content';
import { ThermidorFailure } from '../../plan/run/failure';
import type { JournalView } from '../../plan/run/journal';
import type { RunView } from '../../plan/run/status';
import { controlPlan } from '../../plan/steps/control';
import { copyField } from '../../plan/text/spelled-json';
import type { RunKey } from '../../records/ledger';
import type { Records } from '../../records/records';
import { type EndedRun, InvalidRecord, readEndedRun, storedEndContent } from '../../records/runs/ended-run';
import { readRecordedPlan } from '../../records/runs/run-record';
import { recall } from '../../workflows/interpreter/recall';
import type { EndState } from '../../workflows/interpreter/views/end-content';
import { KIND_CODE } from '../../workflows/kinds';
import { findInLedger } from '../costs/find-run';
import { CommandFailure } from '../exit';

/** Runs that are looked at, at once. */
const AT_ONCE = 64;
const WARNINGS = 5;

/** Reads the records of ended runs in a store. @param say gets the place of a record that cannot be read, and the reason */
export function endedRuns(records: Records, say: (line: string) => void): EndedRuns {
  const warned = new Set<string>();
  const warn = (line: string): void => {
    if (warned.has(line)) return;
    warned.add(line);
    if (warned.size <= WARNINGS) say(line);
    else if (warned.size === WARNINGS + 1) say('more records of ended runs cannot be read');
  };
  const lineOf = (key: RunKey): Promise<EndedRun | undefined> => orAbsent(() => readEndedRun(records.ledger, key), warn);
  return {
    async read(run) {
      const found = await Promise.all((await records.runs.runsOf(run)).map(async (key) => ({ key, ended: await lineOf(key) })));
      const known = found.flatMap(({ key, ended }) => (ended ? [{ key, ended }] : []));
      const [newest] = known.sort((a, b) => b.ended.startedAt.localeCompare(a.ended.startedAt));
      return newest && (await orAbsent(() => recordedEnd(records, newest.key, newest.ended), warn));
    },
    async find(text) {
      const all = await this.list();
      const tops = all.filter(({ parent }) => parent === undefined).sort((a, b) => b.startedAt.localeCompare(a.startedAt));
      const newest = text === undefined ? tops[0] : tops.find(({ pipeline }) => pipeline === text);
      const run = newest?.run ?? (text === undefined ? undefined : idIn(all, text));
      return run === undefined ? undefined : (await this.read(run))?.summary;
    },
    async list() {
      const keys = (await records.runs.list()).flatMap(({ workflowId, run }) => (workflowId === undefined ? [] : [{ workflowId, run }]));
      const ended = new Map<string, RunSummary>();
      for (let i = 0; i < keys.length; i += AT_ONCE) {
        for (const line of await Promise.all(keys.slice(i, i + AT_ONCE).map(lineOf)))
          if (line && (ended.get(line.run)?.startedAt ?? '') <= line.startedAt) ended.set(line.run, summaryOfRecord(line));
      }
      return [...ended.values()];
    },
  };
}

/** Fails with `run.ambiguous`. */
function idIn(runs: readonly RunSummary[], text: string): string | undefined {
  try {
    return findInLedger(
      runs.map(({ run }) => ({ workflowId: run, run: '', place: '' })),
      text,
    );
  } catch (error) {
    if (error instanceof CommandFailure && error.code === 'run.not-found') return undefined;
    throw error;
  }
}

async function orAbsent<T>(read: () => Promise<T | undefined>, warn: (line: string) => void): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof InvalidRecord || (error instanceof ThermidorFailure && error.code === 'artifact.missing'))) throw error;
    warn(error.message);
    return undefined;
  }
}

async function recordedEnd(records: Records, key: RunKey, ended: EndedRun): Promise<RecordedEnd> {
  const content = await storedEndContent(records.artifacts, key, ended);
  return {
    summary: summaryOfRecord(ended),
    outcome: outcomeOf(ended, content),
    async answer(query, argument) {
      if (query === 'status') return content?.view ?? withoutSteps(key, ended);
      if (query === 'journal' && content) return journalOf(content);
      if (!content?.state) throw unanswerable(ended, query);
      const info = { workflowId: key.workflowId, runId: ended.execution, firstRunId: key.run, workflowType: ended.pipeline };
      const plan = controlPlan(await readRecordedPlan(records, ended.plan));
      return recall(KIND_CODE, info, plan, content.state as EndState)(query, argument);
    },
  };
}

function outcomeOf({ state, error, reason }: EndedRun, content: EndContent | undefined): RunOutcome {
  const { result } = content ?? {};
  const outcome: RunOutcome = { state, ...defined({ error, reason, artifacts: result?.artifacts }) };
  if (result) copyField(result, 'output', outcome);
  return outcome;
}

function journalOf({ journal: { pages, entries } }: EndContent): JournalView {
  return { pages, entries, nextSeq: (entries.at(-1)?.seq ?? pages.at(-1)?.toSeq ?? 0) + 1 };
}

/** The view of a run that the server ended, and that no worker could replay. */
function withoutSteps({ run: firstRunId }: RunKey, ended: EndedRun): RunView {
  const { run, execution: runId, pipeline, state, startedAt, endedAt, plan, owner, startedBy, error, reason } = ended;
  return {
    ...{ run, runId, firstRunId, pipeline, state, startedAt, endedAt, plan, args: {}, steps: [], offset: 0, totalSteps: 0, gates: [] },
    ...defined({ owner, startedBy, error, reason }),
  };
}

function unanswerable({ run }: EndedRun, query: string): ClientProblem {
  return new ClientProblem('run.unreadable', `the server has forgotten run "${run}", and its record has no "${query}"`, {
    hint: `see what its record has: thermidor status ${run}`,
  });
}
