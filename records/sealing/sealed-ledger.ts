import { field, isJsonObject, type Json } from '../../plan/text/json';
import type { ClaimedLog, FollowedLog, Ledger, RecordLog, RunKey } from '../ledger';
import type { ListedRun, RunIndex } from '../run-index';
import type { LedgerEntry, RunRetention } from '../run-retention';
import { ENDED_LOG } from '../runs/ended-run';
import type { KeyRing } from './key-ring';
import { openJson, sealJson } from './sealed-text';

/** What a store's index of ended runs reads of their records. */
const SHOWN: Readonly<Record<string, readonly string[]>> = { [ENDED_LOG]: ['startedAt', 'endedAt'] };

/** A ledger whose values and lines are sealed. Names stay readable, and so do the claims of writers. */
export function sealedLedger(ledger: Ledger, ring: KeyRing): Ledger {
  return {
    async get(run, name) {
      const stored = await ledger.get(run, name);
      return stored === undefined ? undefined : openJson(ring, stored, recordOf(run, name));
    },
    async putIfAbsent(run, name, value) {
      const place = recordOf(run, name);
      return openJson(ring, await ledger.putIfAbsent(run, name, sealJson(ring, value, place)), place);
    },
    append: (run, log, ...lines) => ledger.append(run, log, ...linesOf(ring, run, log).sealed(lines)),
    note: (run, log, line) => ledger.note(run, log, linesOf(ring, run, log).seal(line)),
    claim: async (run, log, scheduledAtMs) => sealedClaim(await ledger.claim(run, log, scheduledAtMs), linesOf(ring, run, log)),
    lines: async (run, log) => linesOf(ring, run, log).opened(await ledger.lines(run, log)),
    follow: (run, log) => followed(ledger.follow(run, log), linesOf(ring, run, log)),
    recordLog: async (run, log) => sealedRecords(await ledger.recordLog(run, log), ring, (name) => recordOf(run, `${log}\n${name}`)),
  };
}

/** An index of runs whose logs are sealed. */
export function openedRuns(runs: RunIndex, ring: KeyRing): RunIndex {
  return {
    list: (beginning) => runs.list(beginning),
    runsOf: (workflowId) => runs.runsOf(workflowId),
    extent: (run, endings) => runs.extent(run, endings),
    async *logs(run: ListedRun | RunKey, endings: readonly string[], sinceMs?: number) {
      for await (const lines of runs.logs(run, endings, sinceMs)) yield linesOf(ring, run, '').opened(lines);
    },
  };
}

/** What ledgers say, opened. Of a log of records the values alone are sealed. */
export function openedRetention(retention: RunRetention, ring: KeyRing): RunRetention {
  return {
    nowMs: () => retention.nowMs(),
    endedBefore: (beforeMs) => retention.endedBefore(beforeMs),
    isOlder: (run, beforeMs) => retention.isOlder(run, beforeMs),
    runs: () => retention.runs(),
    async *entries(run) {
      for await (const entry of retention.entries(run)) {
        yield { ...entry, values: entry.values.map((value) => openedEntry(ring, run, entry, value)) };
      }
    },
    remove: (runs, beforeMs, dryRun) => retention.remove(runs, beforeMs, dryRun),
    removeLogs: (runs, dryRun) => retention.removeLogs(runs, dryRun),
    finish: (beforeMs) => retention.finish(beforeMs),
    amounts: () => retention.amounts(),
  };
}

function openedEntry(ring: KeyRing, run: RunKey, { name, kind }: LedgerEntry, value: Json): Json {
  if (kind === 'record') return openJson(ring, value, recordOf(run, name));
  const line = openJson(ring, value, lineOf(run));
  const [record, sealed] = [field(line, 'name'), field(line, 'value')];
  if (!isJsonObject(line) || typeof record !== 'string' || sealed === undefined) return line;
  return { ...line, value: openJson(ring, sealed, recordOf(run, `${name}\n${record}`)) };
}

interface Lines {
  seal(line: Json): Json;
  open(line: Json): Json;
  sealed(lines: readonly Json[]): Json[];
  opened(lines: readonly Json[]): Json[];
}

function linesOf(ring: KeyRing, run: Pick<RunKey, 'run'>, log: string): Lines {
  const place = lineOf(run);
  const seal = (line: Json): Json => sealJson(ring, line, place, SHOWN[log]);
  const open = (line: Json): Json => openJson(ring, line, place);
  return { seal, open, sealed: (lines) => lines.map(seal), opened: (lines) => lines.map(open) };
}

/** A line of a log as the ledger would keep it. */
export function sealedLine(ring: KeyRing, run: Pick<RunKey, 'run'>, log: string, line: Json): Json {
  return linesOf(ring, run, log).seal(line);
}

/** A line belongs to its run alone: who reads all logs of a run need not know which of them it is in. */
export function lineOf({ run }: Pick<RunKey, 'run'>): string {
  return `a line of a log\n${run}`;
}

export function recordOf({ run }: Pick<RunKey, 'run'>, name: string): string {
  return `a record\n${run}\n${name}`;
}

function sealedClaim(log: ClaimedLog, lines: Lines): ClaimedLog {
  return {
    before: lines.opened(log.before),
    append: (...added) => log.append(...lines.sealed(added)),
    note: (line) => log.note(lines.seal(line)),
    sync: () => log.sync(),
    requireOwn: () => log.requireOwn(),
  };
}

function followed(log: FollowedLog, { open }: Lines): FollowedLog {
  let read: readonly Json[] | undefined;
  let opened: Json[] = [];
  return {
    async lines() {
      const lines = await log.lines();
      if (lines !== read) opened = [];
      read = lines;
      for (const line of lines.slice(opened.length)) opened.push(open(line));
      return opened;
    },
  };
}

function sealedRecords(records: RecordLog, ring: KeyRing, placeOf: (name: string) => string): RecordLog {
  const open = (name: string, value: Json): Json => openJson(ring, value, placeOf(name));
  return {
    get(name) {
      const value = records.get(name);
      return value === undefined ? undefined : open(name, value);
    },
    putIfAbsent: async (name, value) => open(name, await records.putIfAbsent(name, sealJson(ring, value, placeOf(name)))),
    claim: (names, scheduledAtMs) => records.claim(names, scheduledAtMs),
    begin: (name) => records.begin(name),
    begins: (name) => records.begins(name),
    sync: () => records.sync(),
    close: () => records.close(),
  };
}
