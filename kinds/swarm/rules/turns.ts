import { defined, ifDefined } from '../../../plan/defined';
import { brief } from '../../../plan/patterns/brief';
import { ISSUE_DOCUMENT, issueText, RECORD_DOCUMENT } from '../../../plan/patterns/called';
import { field, type Json, type JsonObject } from '../../../plan/text/json';
import { beginning } from '../../../plan/text/shortened';
import { bestDiagnoses, type Diagnosis, pathsNamed, type RankedDiagnosis } from './best-diagnosis';
import { type FixOutcome, readDiagnosis, readSwarmRecord, type SwarmRecord, type TriedFix } from './diagnosis';

/**
 * What a swarm does next (docs/patterns.md, CP-7).
 *
 * Invariants: 1. an agent that is silent, or whose answer is no diagnosis, is left out; 2. after a fix that broke something, or that nobody
 * has applied, the next best diagnosis of the round is tried; after one that changes nothing a new round begins; 3. after the last round it
 * is unsolved.
 */

export interface SwarmAgentGiven {
  name: string;
  perspective: string;
}

export interface GatherGiven {
  affected: string[];
}
export interface GatherValues {
  /** One line; empty if there is nothing to solve. */
  issue: string;
  /** Earlier findings, in brief. */
  soFar: Json[];
}

export interface PathsGiven {
  agents: SwarmAgentGiven[];
}

export interface BestGiven extends PathsGiven {
  round: number;
  rounds: number;
  skipped: { agent: string; reason: string }[];
}
export interface BestValues {
  candidates: CandidateView[];
  next: SwarmNext;
}

export interface CandidateGiven {
  round: number;
  /** From 0, the best first. */
  nth: number;
}

/** A candidate in brief. */
export interface CandidateView {
  by: string;
  with: string[];
  confidence: number;
  rootCause: string;
  fix: string;
}

export interface JudgeGiven extends CandidateGiven {
  rounds: number;
  fixer: string;
  /** Nobody has applied it, and why. */
  failed?: string;
  /** The check's failure. Absent: it passes, unless its report (`after`), if there is one, says otherwise. */
  check?: string;
  /** Whether it passed before the fix; absent: its report (`before`) says so, else it is unknown. */
  passedBefore?: boolean;
  /** A fix that does not solve it is taken back. */
  rollsBack: boolean;
}
export interface JudgeValues {
  outcome: FixOutcome;
  next: SwarmNext;
  /** The fix that has solved it. */
  solution?: string;
  rootCause?: string;
  /** Earlier attempts, in brief, for the agents that are asked next. */
  soFar: Json[];
}

export type SwarmNext =
  | { kind: 'fix'; nth: number }
  | { kind: 'diagnose'; round: number }
  | { kind: 'end'; outcome: 'solved' | 'unsolved' };

/** Names of the documents that the rules read in addition to the record. */
export const diagnosisDocument = (agent: string): string => `diagnosis-${agent}`;
export const EXISTING_DOCUMENT = 'existing';
export const ANSWER_DOCUMENT = 'answer';
export const BEFORE_DOCUMENT = 'before';
export const AFTER_DOCUMENT = 'after';

type Documents = Readonly<Record<string, Json>>;

/** The limit of a step's instructions. */
const MOST_INSTRUCTIONS = 8000;

/** The record as it begins. */
export function gatherSwarm({ affected }: GatherGiven, documents: Documents): { result: SwarmRecord; values: GatherValues } {
  const issue = documents[ISSUE_DOCUMENT] ?? documents['matter'] ?? null;
  const chain = field(issue, 'diagnosis_chain');
  const soFar = (Array.isArray(chain) ? chain : []).slice(-10).map((one) => brief(typeof one === 'string' ? one : JSON.stringify(one)));
  return { result: { ...readSwarmRecord(null), issue, affected }, values: { issue: brief(issueText(issue)), soFar } };
}

/** The named paths that may exist, one a line. */
export function namedPaths({ agents }: PathsGiven, documents: Documents): { result: string; values: { count: number } } {
  const paths = pathsNamed(diagnosesIn(agents, documents));
  return { result: paths.join('\n'), values: { count: paths.length } };
}

export function chooseDiagnosis(given: BestGiven, documents: Documents): { result: SwarmRecord; values: BestValues } {
  const { agents, round, skipped } = given;
  const before = readSwarmRecord(documents[RECORD_DOCUMENT]);
  const diagnoses = diagnosesIn(agents, documents);
  const tried = before.tried.map(({ fix_suggestion }) => fix_suggestion);
  const candidates = bestDiagnoses(diagnoses, linesOf(documents[EXISTING_DOCUMENT]), tried);
  const left = new Set(skipped.map(({ agent }) => agent));
  const silent = agents.filter(({ name }) => !left.has(name) && !diagnoses.some(({ by }) => by === name));
  const all = [...skipped, ...silent.map(({ name }) => ({ agent: name, reason: 'its answer is not a diagnosis' }))];
  const record = { ...before, rounds: [...before.rounds, { round, diagnoses, skipped: all, candidates }] };
  const next: SwarmNext = candidates.length > 0 ? { kind: 'fix', nth: 0 } : nextRound(given);
  return { result: ended(record, next), values: { candidates: candidates.map(candidateView), next } };
}

/** The fix to apply, in full. */
export function candidateOf(
  { round, nth }: CandidateGiven,
  documents: Documents,
): { result: RankedDiagnosis | null; values: Record<string, never> } {
  const { rounds } = readSwarmRecord(documents[RECORD_DOCUMENT]);
  return { result: rounds.find((one) => one.round === round)?.candidates[nth] ?? null, values: {} };
}

export function judgeFix(given: JudgeGiven, documents: Documents): { result: SwarmRecord; values: JudgeValues } {
  const before = readSwarmRecord(documents[RECORD_DOCUMENT]);
  const { round, nth, fixer, rollsBack } = given;
  const candidates = before.rounds.find((one) => one.round === round)?.candidates ?? [];
  const candidate = candidates[nth];
  const { outcome, reason } = outcomeOf(given, documents);
  const fix: TriedFix = {
    ...{ round, diagnosed_by: candidate?.by ?? '', root_cause: candidate?.root_cause ?? '', fix_suggestion: suggestionOf(candidate) },
    ...{ fixer, outcome },
    ...defined({ reason, rolled_back: rollsBack && outcome !== 'solved' ? (true as const) : undefined }),
  };
  const next = afterFix(given, outcome, candidates.length);
  const record: SwarmRecord = { ...before, tried: [...before.tried, fix] };
  if (outcome !== 'solved') return { result: ended(record, next), values: { outcome, next, soFar: record.tried.map(inBrief) } };
  const solved = {
    ...record,
    ...{
      outcome,
      by: fixer,
      diagnosed_by: fix.diagnosed_by,
      root_cause: fix.root_cause,
      solution: summaryIn(documents) ?? fix.fix_suggestion,
    },
  };
  const solution = beginning(solved.solution, MOST_INSTRUCTIONS);
  return { result: solved, values: { outcome, next, solution, rootCause: brief(fix.root_cause), soFar: [] } };
}

/** The record of a swarm that is unsolved and that a person lets pass. */
export function overruleSwarm(documents: Documents): { result: SwarmRecord; values: Record<string, never> } {
  return { result: { ...readSwarmRecord(documents[RECORD_DOCUMENT]), outcome: 'overruled' }, values: {} };
}

function diagnosesIn(agents: readonly SwarmAgentGiven[], documents: Documents): Diagnosis[] {
  return agents.flatMap((agent) => readDiagnosis(documents[diagnosisDocument(agent.name)], agent) ?? []);
}

/** A command's output: for a single number the store has a number. */
function linesOf(printed: Json | undefined): ReadonlySet<string> {
  if (printed === undefined || printed === null) return new Set();
  const text = typeof printed === 'string' ? printed : JSON.stringify(printed);
  return new Set(text.split('\n').filter((line) => line !== ''));
}

function outcomeOf({ failed, check, passedBefore }: JudgeGiven, documents: Documents): { outcome: FixOutcome; reason?: string } {
  if (failed !== undefined) return { outcome: 'not_applied', reason: failed };
  const after = documents[AFTER_DOCUMENT];
  const failing = failingIn(after);
  if (check === undefined && !fails(after)) return { outcome: 'solved' };
  const before = documents[BEFORE_DOCUMENT];
  const known = failingIn(before);
  // A long list has only its first entries.
  const knowsAll = before !== undefined && known.length === field(before, 'failed');
  const newly = knowsAll ? failing.filter((name) => !known.includes(name)) : [];
  const broke = newly.length > 0 || (passedBefore ?? (before !== undefined && !fails(before)));
  const reason =
    newly.length > 0
      ? `fails now: ${listed(newly)}`
      : (check ?? (failing.length === 0 ? 'no test has run' : `tests fail: ${listed(failing)}`));
  return { outcome: broke ? 'broke' : 'unsolved', reason };
}

function listed(tests: readonly string[]): string {
  return tests.slice(0, 10).join(', ');
}

/** Whether a report of tests says that some fail, or that none has run. A check without a report passes or fails by its exit code. */
function fails(report: Json | undefined): boolean {
  if (report === undefined) return false;
  return field(report, 'failed') !== 0 || field(report, 'passed') === 0;
}

function failingIn(report: Json | undefined): string[] {
  const failures = field(report, 'failures');
  return (Array.isArray(failures) ? failures : []).flatMap((failure) => {
    const name = field(failure, 'name');
    return typeof name === 'string' ? [name] : [];
  });
}

function afterFix(given: JudgeGiven, outcome: FixOutcome, candidates: number): SwarmNext {
  if (outcome === 'solved') return { kind: 'end', outcome };
  if (outcome !== 'unsolved' && given.nth + 1 < candidates) return { kind: 'fix', nth: given.nth + 1 };
  return nextRound(given);
}

function nextRound({ round, rounds }: Pick<JudgeGiven, 'round' | 'rounds'>): SwarmNext {
  return round < rounds ? { kind: 'diagnose', round: round + 1 } : { kind: 'end', outcome: 'unsolved' };
}

function ended(record: SwarmRecord, next: SwarmNext): SwarmRecord {
  return next.kind === 'end' ? { ...record, outcome: next.outcome } : record;
}

function candidateView({ by, complements, confidence, root_cause, fix_suggestion }: RankedDiagnosis): CandidateView {
  return { by, with: complements.map((one) => one.by), confidence, rootCause: brief(root_cause), fix: brief(fix_suggestion) };
}

function suggestionOf(candidate: RankedDiagnosis | undefined): string {
  return candidate?.fix_suggestion ?? '';
}

function summaryIn(documents: Documents): string | undefined {
  const summary = field(documents[ANSWER_DOCUMENT], 'summary');
  return typeof summary === 'string' && summary.trim() !== '' ? summary : undefined;
}

function inBrief({ diagnosed_by, fix_suggestion, outcome, reason }: TriedFix): JsonObject {
  return { diagnosed_by, fix_suggestion: brief(fix_suggestion), outcome, ...defined({ reason: ifDefined(reason, brief) }) };
}
