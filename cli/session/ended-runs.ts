import { ClientProblem } from '../../client/client-problem';
import { type EndedRuns, type RecordedEnd, summaryOfEnd } from '../../client/ended-runs';
import type { RunOutcome } from '../../client/outcome';

import { defined } from '../../plan/defined';
import type { Plan } from '../../plan/plan';
import type { EndContent } from '../../plan/run/end-content';
import { ThermidorFailure } from '../../plan/run/failure';
import type { JournalView } from '../../plan/run/journal';
import type { RunView } from '../../plan/run/status';
import { controlPlan } from '../../plan/steps/control';
import { copyField } from '../../plan/text/spelled-json';
import type { RunKey } from '../../records/ledger';
import type { Records } from '../../records/records';
import { type EndedRun, InvalidRecord, readEndedRun, storedEndContent } from '../../records/runs/ended-run';
import { isImported } from '../../records/runs/imported-run';
import { asPlan, readRecordedPlan } from '../../records/runs/run-record';
import { recall } from '../../workflows/interpreter/recall';
import type { EndState } from '../../workflows/interpreter/views/end-content';
import { KIND_CODE } from '../../workflows/kinds';
import { findInLedger } from '../costs/find-run';
import { CommandFailure } from '../exit';

/** Ends that are read at once. */
const PAGE = 100;
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
  const newest = async (run: string): Promise<{ key: RunKey; ended: EndedRun } | undefined> => {
    const lines = (await records.runs.runsOf(run)).map(async (key) => {
      const ended = await orAbsent(() => readEndedRun(records.ledger, key), warn);
      return ended ? [{ key, ended }] : [];
    });
    return (await Promise.all(lines)).flat().sort((a, b) => b.ended.startedAt.localeCompare(a.ended.startedAt))[0];
  };
  return {
    async read(run) {
      const found = await newest(run);
      return found && (await orAbsent(() => recordedEnd(records, found.key, found.ended), warn));
    },
    async find(text) {
      const tops = await records.ended.list({ by: 'startedAt', tops: true, limit: 1, ...defined({ pipeline: text }) });
      const run = tops[0]?.run ?? (text === undefined ? undefined : idIn(await withText(records, text), text));
      return run === undefined ? undefined : (await this.read(run))?.summary;
    },
    async *list({ state, pipeline, children }, after) {
      const query = { by: 'endedAt' as const, limit: PAGE, tops: !children, ...defined({ state, pipeline }) };
      for (let from = after; ; ) {
        const ends = await records.ended.list({ ...query, ...defined({ after: from }) });
        yield ends.map(summaryOfEnd);
        from = ends.at(-1);
        if (ends.length < PAGE) return;
      }
    },
  };
}

async function withText(records: Records, text: string): Promise<string[]> {
  return (await records.ended.list({ by: 'startedAt', contains: text })).map(({ run }) => run);
}

/** Fails with `run.ambiguous`. */
function idIn(runs: readonly string[], text: string): string | undefined {
  try {
    return findInLedger(
      runs.map((workflowId) => ({ workflowId, run: '', place: '' })),
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
    summary: summaryOfEnd({ ...ended, firstRun: key.run }),
    outcome: outcomeOf(ended, content),
    async answer(query, argument) {
      if (query === 'status') return content?.view ?? withoutSteps(key, ended);
      if (query === 'journal' && content) return journalOf(content);
      if (query === 'plan' && isImported(key.run)) return controlPlan(await importedPlan(records, ended.plan));
      if (!content?.state) throw unanswerable(ended, query);
      const info = { workflowId: key.workflowId, runId: ended.execution, firstRunId: key.run, workflowType: ended.pipeline };
      const plan = controlPlan(await readRecordedPlan(records, ended.plan));
      return recall(KIND_CODE, info, plan, content.state as EndState)(query, argument);
    },
  };
}

/** What came from outside is an output: no run can obey it. */
async function importedPlan({ artifacts }: Records, { sha256 }: EndedRun['plan']): Promise<Plan> {
  return asPlan(await artifacts.get({ sha256 }), sha256);
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
