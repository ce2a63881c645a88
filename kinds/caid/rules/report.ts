import { addUsage, type Usage } from '../../../plan/budgets/usage';
import { defined } from '../../../plan/defined';
import type { JournalEntry } from '../../../plan/run/journal';
import type { StepView } from '../../../plan/run/status';
import type { TaskView, TeamView } from '../view';
import { shownTasks } from '../view';
import type { ReturnReason } from './assignment';
import { bound } from './bound';
import { type AttemptReport, attemptsOf, type TeamEntry } from './report-attempts';
import type { Isolation } from './team';

/**
 * A team's work as one document: who had which task when, what came back and why, its usage, and how near it came to the fastest time that
 * its own times allow. Made from the run's journal and view alone. Times are ISO 8601, durations in milliseconds.
 */
export interface TeamReport {
  run: string;
  step: string;
  isolation: Isolation;
  /** `running`: it has not ended. */
  status: 'running' | 'success' | 'failure' | 'incomplete';
  /** The final tests of the whole. Absent: they have not run, or are not over. */
  tests?: FinalTests;
  startedAt?: string;
  endedAt?: string;
  wallClockMs: number;
  engineers: EngineerReport[];
  tasks: TaskReport[];
  /** What somebody should look at: in the graph, and in landed work. */
  warnings: string[];
  /** How often something came back, by why. */
  returned: Record<string, number>;
  /** Work on attempts that were not merged: they came back, or the team ended before. */
  wastedMs: number;
  /** The manager's turns: dividing the work, looking at candidates, and the review in the end. */
  manager?: Usage;
  usage?: Usage;
  /** Set if everything is merged. */
  bound?: BoundReport;
}

/** Without counts if the output has none. */
export interface FinalTests {
  state: 'passed' | 'failed';
  passed?: number;
  ran?: number;
}

export interface EngineerReport {
  id: string;
  rounds: number;
  workMs: number;
  usage?: Usage;
}

export interface TaskReport {
  id: string;
  words: string;
  stage: TaskView['stage'];
  dependsOn: string[];
  attempts: AttemptReport[];
}

/** The time from the first assignment to the last merge, and list scheduling's for the same times; `ratio` is 1 if nothing is faster. */
export interface BoundReport {
  measuredMs: number;
  finishMs: number;
  leastMs: number;
  ratio: number;
}

/** A paid reply: the address of its call, and its usage. */
export interface PaidCall {
  call: string;
  usage: Usage;
}

export interface ReportSource {
  run: string;
  view: StepView & { team: TeamView };
  /** The step's name in journals, with which its calls begin. */
  step: string;
  isolation: Isolation;
  tests?: TeamReport['tests'];
  journal: readonly JournalEntry[];
  paid: readonly PaidCall[];
  nowMs: number;
}

export function teamReport({ run, view, step, isolation, tests, journal, paid, nowMs }: ReportSource): TeamReport {
  const entries = journal.filter((entry): entry is TeamEntry => entry.kind === 'team' && entry.step.replace(/[#~].*$/, '') === step);
  const usageOf = (part: string, turn?: number): Usage | undefined => usedBy(paid, step, part, turn);
  const { startedAt, endedAt } = view;
  const attempts = attemptsOf(entries, (number) => usageOf('engineer', number), endedAt);
  const tasks = shownTasks(view).map(
    ({ id, words, stage, dependsOn }): TaskReport => ({
      id,
      words,
      stage,
      dependsOn,
      attempts: attempts.filter(({ task }) => task === id),
    }),
  );
  const lastMs = endedAt === undefined ? nowMs : Date.parse(endedAt);
  const manager = ['manager', 'check', 'review'].map((part) => usageOf(part)).reduce(addUsage);
  const usage = attempts.reduce<Usage | undefined>((sum, attempt) => addUsage(sum, attempt.usage), manager);
  return {
    ...{ run, step, isolation, status: view.team.over ?? 'running' },
    ...defined({ tests, startedAt, endedAt }),
    wallClockMs: startedAt === undefined ? 0 : lastMs - Date.parse(startedAt),
    engineers: view.team.engineers.map(({ id, rounds }) => engineerReport(id, rounds, attempts, nowMs)),
    tasks,
    warnings: entries.flatMap(({ event, task, reason }) =>
      event === 'warned' && reason !== undefined ? [task === undefined ? reason : `${task}: ${reason}`] : [],
    ),
    returned: counted(attempts.flatMap(({ end }) => (end?.kind === 'returned' ? [end.reason] : []))),
    wastedMs: sumOf(attempts.map((attempt) => (attempt.end && attempt.end.kind !== 'merged' ? workMs(attempt, nowMs) : 0))),
    ...defined({ manager, usage, bound: boundOf(tasks) }),
  };
}

function engineerReport(id: string, rounds: number, attempts: readonly AttemptReport[], nowMs: number): EngineerReport {
  const own = attempts.filter(({ engineer }) => engineer === id);
  const usage = own.reduce<Usage | undefined>((sum, attempt) => addUsage(sum, attempt.usage), undefined);
  return { id, rounds, workMs: sumOf(own.map((attempt) => workMs(attempt, nowMs))), ...defined({ usage }) };
}

/** From the assignment to the candidate. */
function workMs({ assignedAt, submittedAt, end }: AttemptReport, nowMs: number): number {
  const until = submittedAt ?? end?.at;
  return (until === undefined ? nowMs : Date.parse(until)) - Date.parse(assignedAt);
}

/** The same tasks with the times of the merged attempts: returned ones count as lost. */
function boundOf(tasks: readonly TaskReport[]): BoundReport | undefined {
  const done = tasks.flatMap(({ id, dependsOn, attempts }) => {
    const last = attempts.at(-1);
    return last?.end?.kind === 'merged' && last.submittedAt !== undefined ? [{ id, depends_on: dependsOn, last, end: last.end }] : [];
  });
  const isWhole = tasks.every(({ id, stage }) => stage === 'held' || done.some((task) => task.id === id));
  const first = Math.min(...tasks.flatMap(({ attempts }) => attempts.map(({ assignedAt }) => Date.parse(assignedAt))));
  if (done.length === 0 || !isWhole) return undefined;
  const ended = queueEnds(tasks);
  const lastMs = Math.max(...done.map(({ end }) => Date.parse(end.at)));
  const latencies = new Map(
    done.map(({ id, last, end }) => {
      const mergedMs = Date.parse(end.at);
      // The queue takes candidates one by one: this one waited until it was done with the one before. Candidates of a batch are merged at
      // one moment.
      const before = ended[ended.findIndex(({ number }) => number === last.number) - 1];
      const freeMs = Math.max(Date.parse(last.submittedAt ?? end.at), before?.atMs ?? 0);
      return [id, { workMs: workMs(last, mergedMs), integrateMs: mergedMs - freeMs }] as const;
    }),
  );
  const engineers = new Set(tasks.flatMap(({ attempts }) => attempts.map(({ engineer }) => engineer))).size;
  const possible = bound({ units: done }, (id) => latencies.get(id) ?? { workMs: 0, integrateMs: 0 }, engineers);
  const measuredMs = lastMs - first;
  // List scheduling does not always find the best order: what the team has reached is possible.
  const finishMs = Math.min(possible.finishMs, measuredMs);
  return { ...{ measuredMs, finishMs, leastMs: possible.leastMs }, ratio: measuredMs === 0 ? 1 : finishMs / measuredMs };
}

/** When the queue was done with each candidate, merged or not: its time for returned ones is no integration of later ones. */
function queueEnds(tasks: readonly TaskReport[]): { number: number; atMs: number }[] {
  const ends = tasks.flatMap(({ attempts }) =>
    attempts.flatMap(({ number, submittedAt, end }) => {
      const isQueues = end?.kind === 'merged' || (end?.kind === 'returned' && submittedAt !== undefined && BY_QUEUE.has(end.reason));
      return isQueues && end ? [{ number, atMs: Date.parse(end.at) }] : [];
    }),
  );
  return ends.sort((a, b) => a.atMs - b.atMs || a.number - b.number);
}

/** Other reasons did not come from the queue. */
const BY_QUEUE: ReadonlySet<string> = new Set<ReturnReason>(['conflict', 'red', 'restricted', 'ownership']);

/** The usage of replies of a part of the step, in one turn or in all; in every round and try. */
function usedBy(paid: readonly PaidCall[], step: string, part: string, turn?: number): Usage | undefined {
  const id = step.slice(step.lastIndexOf('/') + 1);
  return paid.reduce<Usage | undefined>((sum, { call, usage }) => {
    const found = call.startsWith(`${step}[`) ? /^(\d+)\]\/(.+)$/.exec(call.slice(step.length + 1)) : null;
    const [, at, rest = ''] = found ?? [];
    const isIts = rest === `${id}_${part}` || rest.startsWith(`${id}_${part}#`) || rest.startsWith(`${id}_${part}~`);
    return found && isIts && (turn === undefined || Number(at) === turn) ? addUsage(sum, usage) : sum;
  }, undefined);
}

function counted(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
