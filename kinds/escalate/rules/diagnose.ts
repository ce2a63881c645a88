import { defined, unlessEmpty } from '../../../plan/defined';
import { brief } from '../../../plan/patterns/brief';
import { ISSUE_DOCUMENT, issueText, RECORD_DOCUMENT } from '../../../plan/patterns/called';
import type { Json } from '../../../plan/text/json';
import { beginning } from '../../../plan/text/shortened';
import {
  answerOfPerson,
  type Diagnosis,
  type EscalationOutcome,
  type EscalationRecord,
  type LevelAnswer,
  readAnswer,
  readRecord,
  WORKAROUND,
} from './issue';

/**
 * Decides who an issue goes to next (docs/patterns.md, CP-5).
 *
 * Invariants: 1. levels are asked in order, each as often as it has attempts; 2. a recommendation of a level above the first, or a task
 * that it redefines, goes to the first agent, once for each attempt; 3. a level that neither solves nor recommends passes the issue up; 4.
 * after the last level it is unsolved.
 */

/** Who is asked next, and for what. `level` counts from 0, `attempt` from 1. */
export type EscalationMove =
  | { kind: 'ask'; level: number; attempt: number }
  /** The first agent carries out what the level has said. */
  | { kind: 'apply'; level: number; attempt: number }
  /** The first agent takes the most conservative option. */
  | { kind: 'workaround'; level: number };

export interface EscalationLevel {
  /** An agent, or who is asked as a person. */
  name: string;
  kind: 'agent' | 'person';
  attempts: number;
}

export interface DiagnoseGiven {
  move: EscalationMove;
  levels: EscalationLevel[];
  /** A person's decision; what an agent says is the document `answer`. */
  person?: { choice: string; by?: string; comment?: string };
  /** Why there is no answer. */
  failed?: string;
  /** Why the check refuses the solution. */
  check?: string;
  /** A root cause sends the whole back (`on_root_cause`). */
  replans: boolean;
  /** The second level's solution becomes a pattern for the first. */
  remembers: boolean;
}

export interface DiagnoseValues {
  next: EscalationMove | { kind: 'end'; outcome: EscalationOutcome };
  /** The move goes up a level: the feedback signal, in brief. */
  raised?: { from_level: number; to_level: number; attempts_at_current: number; diagnosis_chain: Diagnosis[] };
  by?: string;
  solution?: string;
  rootCause?: string;
  pattern?: { problem: string; solution: string };
}

export const ANSWER_DOCUMENT = 'answer';

const MOST_TRIED = 5;
/** The limit of a step's instructions. */
const MOST_INSTRUCTIONS = 8000;

/** The initial record. `issue` is empty if there is nothing to solve. */
export function openIssue(documents: Readonly<Record<string, Json>>): { result: EscalationRecord; values: { issue: string } } {
  const issue = documents[ISSUE_DOCUMENT] ?? documents['matter'] ?? null;
  return { result: { ...readRecord(null), issue }, values: { issue: brief(issueText(issue)) } };
}

export function diagnose(
  given: DiagnoseGiven,
  documents: Readonly<Record<string, Json>>,
): { result: EscalationRecord; values: DiagnoseValues } {
  const before = readRecord(documents[RECORD_DOCUMENT]);
  const { move, levels, person, failed } = given;
  const level = levels[move.level];
  const answer = person ? answerOfPerson(person.choice, person.comment) : readAnswer(documents[ANSWER_DOCUMENT]);
  const by = person?.by ?? level?.name ?? '';
  const said: LevelAnswer = failed === undefined ? answer : { solved: false, diagnosis: failed, tried: [] };
  const asked = move.kind === 'ask' ? withAnswer(before, given, by, said) : withOutcome(before, given, said);
  const next = nextMove(given, said, person?.choice);
  const record = next.kind === 'end' ? ended(asked, given, next.outcome, said) : asked;
  return { result: record, values: valuesOf(record, given, next) };
}

/** What follows an answer. */
function nextMove(
  { move, levels, check, failed, replans }: DiagnoseGiven,
  said: LevelAnswer,
  choice: string | undefined,
): DiagnoseValues['next'] {
  if (move.kind === 'workaround') return { kind: 'end', outcome: failed === undefined ? 'workaround' : 'unsolved' };
  if (said.solved && check === undefined) return { kind: 'end', outcome: 'solved' };
  const { level, attempt } = move;
  if (move.kind === 'ask') {
    if (choice === 'workaround') return { kind: 'workaround', level };
    if (choice === 'abort' || choice === 'reject') return { kind: 'end', outcome: 'unsolved' };
    if (said.rootCause !== undefined && replans) return { kind: 'end', outcome: 'root_cause' };
    // The first agent carries out others' recommendations; its own it tries in its next attempt.
    if (level > 0 && (said.recommendation !== undefined || said.redefinedTask !== undefined)) return { kind: 'apply', level, attempt };
  }
  if (attempt < (levels[level]?.attempts ?? 1)) return { kind: 'ask', level, attempt: attempt + 1 };
  if (level + 1 < levels.length) return { kind: 'ask', level: level + 1, attempt: 1 };
  return { kind: 'end', outcome: 'unsolved' };
}

/** The level's entry in the chain, with what it has said this time. */
function withAnswer(record: EscalationRecord, { move, check }: DiagnoseGiven, by: string, said: LevelAnswer): EscalationRecord {
  const known = record.diagnosis_chain.find(({ level }) => level === move.level);
  const { tried: before = [], attempts = 0 } = known ?? {};
  const tried = [...before, ...carriedOut(known), ...said.tried];
  const entry: Diagnosis = {
    ...{ level: move.level, agent: by, attempts: attempts + 1, diagnosis: said.diagnosis },
    ...defined({
      tried: unlessEmpty(tried),
      recommendation: said.recommendation,
      redefined_task: said.redefinedTask,
      root_cause: said.rootCause,
      check,
    }),
  };
  return { ...withEntry(record, entry), ...defined({ task: said.redefinedTask }) };
}

/** A level's earlier recommendation, and what it did: its next answer replaces both. */
function carriedOut(known: Diagnosis | undefined): string[] {
  const { applied, check, recommendation, redefined_task } = known ?? {};
  if (!applied) return [];
  const outcome = check === undefined ? applied.diagnosis : `${applied.diagnosis} (${check})`;
  return [`${recommendation ?? redefined_task ?? ''}: ${outcome}`, ...(applied.tried ?? [])];
}

/** A recommendation with the outcome of the first agent's work. */
function withOutcome(
  record: EscalationRecord,
  { move, levels, check }: DiagnoseGiven,
  { diagnosis, tried }: LevelAnswer,
): EscalationRecord {
  const entry = record.diagnosis_chain.find(({ level }) => level === move.level);
  if (!entry) return record;
  const applied = { by: levels[0]?.name ?? '', diagnosis, ...defined({ tried: unlessEmpty(tried) }) };
  return withEntry(record, { ...entry, applied, ...defined({ check }) });
}

function withEntry(record: EscalationRecord, entry: Diagnosis): EscalationRecord {
  return { ...record, diagnosis_chain: [...record.diagnosis_chain.filter(({ level }) => level !== entry.level), entry] };
}

function ended(
  record: EscalationRecord,
  { move, levels, remembers }: DiagnoseGiven,
  outcome: EscalationOutcome,
  said: LevelAnswer,
): EscalationRecord {
  const entry = record.diagnosis_chain.find(({ level }) => level === move.level);
  const by = move.kind === 'workaround' ? levels[0]?.name : entry?.agent;
  const end = { ...record, outcome, level: move.level, by: by ?? null };
  switch (outcome) {
    case 'root_cause':
      return { ...end, root_cause: said.rootCause ?? null };
    case 'workaround':
      return { ...end, marked: WORKAROUND, solution: said.recommendation ?? said.diagnosis };
    case 'solved': {
      const solution = entry?.recommendation ?? entry?.redefined_task ?? said.recommendation ?? said.diagnosis;
      const pattern = remembers && move.level === 1 ? { problem: issueText(record.issue), solution } : null;
      return { ...end, solution, pattern };
    }
    default:
      return { ...end, by: null };
  }
}

function valuesOf(record: EscalationRecord, { move, levels }: DiagnoseGiven, next: DiagnoseValues['next']): DiagnoseValues {
  const goesUp = next.kind === 'ask' && next.level > move.level;
  const { attempts = 1 } = record.diagnosis_chain.find(({ level }) => level === move.level) ?? {};
  const chain = record.diagnosis_chain.map(inBrief);
  const solution = record.solution ?? undefined;
  const instructions = solution === undefined || record.marked === null ? solution : `${WORKAROUND}: ${solution}`;
  return {
    next,
    ...defined({
      raised: goesUp ? { from_level: move.level, to_level: next.level, attempts_at_current: attempts, diagnosis_chain: chain } : undefined,
      by: record.by ?? levels[move.level]?.name,
      solution: cut(instructions),
      rootCause: cut(record.root_cause),
      pattern: record.pattern ? { problem: brief(record.pattern.problem), solution: brief(record.pattern.solution) } : undefined,
    }),
  };
}

function inBrief({ tried, applied: _applied, ...entry }: Diagnosis): Diagnosis {
  const texts = Object.entries(entry).map(([key, value]) => [key, typeof value === 'string' ? brief(value) : value]);
  return { ...(Object.fromEntries(texts) as Diagnosis), ...(tried ? { tried: tried.slice(-MOST_TRIED).map(brief) } : {}) };
}

function cut(text: string | null | undefined): string | undefined {
  return typeof text === 'string' ? beginning(text, MOST_INSTRUCTIONS) : undefined;
}
