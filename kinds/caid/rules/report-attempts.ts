import type { Usage } from '../../../plan/budgets/usage';
import { defined } from '../../../plan/defined';
import type { JournalEntry } from '../../../plan/run/journal';

export type TeamEntry = Extract<JournalEntry, { kind: 'team' }>;

/** One assignment, and its end. Times are ISO 8601. */
export interface AttemptReport {
  task: string;
  engineer: string;
  /** The task's attempt, from 1. */
  attempt: number;
  /** Among all assignments of the team, from 1; it continues in a rerun. */
  number: number;
  assignedAt: string;
  /** When its candidate was offered. */
  submittedAt?: string;
  /** Absent: it is in progress. `left`: it was when the team ended. */
  end?:
    | { kind: 'merged'; at: string; commit: string }
    | { kind: 'returned'; at: string; reason: string; message: string }
    | { kind: 'left'; at: string };
  usage?: Usage;
}

/** Assignments from the journal, in order. `usageOf`: by their number. `endedAt`: the team's end, if it has ended. */
export function attemptsOf(
  entries: readonly TeamEntry[],
  usageOf: (number: number) => Usage | undefined,
  endedAt: string | undefined,
): AttemptReport[] {
  const attempts: AttemptReport[] = [];
  const latest = new Map<string, AttemptReport>();
  for (const { event, task, engineer = '', attempt = 1, turn, at, commit = '', reason = '' } of entries) {
    const current = task === undefined ? undefined : latest.get(task);
    if (event === 'assigned' && task !== undefined) {
      const number = turn ?? attempts.length + 1;
      const made: AttemptReport = { task, engineer, attempt, number, assignedAt: at, ...defined({ usage: usageOf(number) }) };
      attempts.push(made);
      latest.set(task, made);
    } else if (event === 'submitted' && current) current.submittedAt = at;
    else if (event === 'merged' && current) current.end = { kind: 'merged', at, commit };
    else if (event === 'returned' && current) current.end = { kind: 'returned', at, ...reasonOf(reason) };
  }
  if (endedAt !== undefined) for (const attempt of attempts) attempt.end ??= { kind: 'left', at: endedAt };
  return attempts;
}

/** `red: its tests fail`, as journals have it. */
function reasonOf(text: string): { reason: string; message: string } {
  const [, reason = 'failed', message = text] = /^([a-z]+): (.*)$/s.exec(text) ?? [];
  return { reason, message };
}
