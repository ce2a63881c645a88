import { defined } from '../../../plan/defined';
import type { FrozenQuorum } from '../../../plan/people/quorum';
import type { PlannedIncrement, PlannedTask } from './increments';
import type { DeliveryProgress, FailedGateName, IncrementStatus } from './words';

/**
 * How a plan is delivered, increment by increment (docs/patterns.md, CP-6): what is next, and what follows an attempt. It is plain JSON,
 * and no agent decides any of it.
 *
 * Invariants: 1. one increment is in progress, the first that is not over; 2. `at` is the commit of what is kept so far, and every attempt
 * begins there: a blocked increment's work is in no later one; 3. dependents of a blocked task are blocked with it, and everything else
 * continues: an increment of several tasks that does not pass is divided into its tasks, because only one of them may be to blame; 4. an
 * increment has the first attempt and at most `fixes` more; 5. nothing is kept whose dependencies are not, because increments are in an
 * order in which those come first.
 */

export interface Delivery {
  increments: DeliveredIncrement[];
  /** Commits: of the worktree before the first increment, and of what is kept so far. */
  base: string;
  at: string;
  /** The worktree's content is unknown: an attempt broke off there, or is to be rolled back. */
  strayed?: true;
  /** Tasks that were not done; their dependents are not listed. */
  blockedTasks: string[];
  /** What the next attempt has to fix. */
  fix?: IncrementRepair;
}

/** `status` is absent before it begins. */
export interface DeliveredIncrement extends PlannedIncrement {
  attempts: number;
  /** The turn of the parts, in its last attempt. */
  turn?: number;
  /** An attempt is in progress. One that breaks off with its step does not count. */
  underway?: true;
  status?: IncrementStatus;
  /** The commit to which the worktree is reset if it is blocked. */
  before?: string;
  /** Its resulting commit. */
  commit?: string;
  /** Gates that its last attempt has failed. */
  failed?: FailedGateName[];
  /** The increment that it depends on, and that was blocked before it. */
  blockedBy?: string;
}

/** What has to be fixed. `rolled_back`: the work is gone from the worktree, and `earlier_commit` has it. */
export type IncrementRepair = {
  failed_gates: FailedGate[];
  affected_files: string[];
  suggestion?: string;
  earlier_commit: string;
  rolled_back: boolean;
};

export type FailedGate = {
  gate: FailedGateName;
  message: string;
  /** The end of the output. */
  output?: string;
};

export function newDelivery(increments: readonly PlannedIncrement[], base: string): Delivery {
  return { increments: increments.map((one) => ({ ...one, attempts: 0 })), base, at: base, blockedTasks: [] };
}

/** The increment that is next or in progress; undefined once all are over. */
export function currentIncrement({ increments }: Delivery): DeliveredIncrement | undefined {
  return increments.find(({ status }) => status === undefined || status === 'IN_PROGRESS');
}

/** Its tasks that nothing blocks. */
export function tasksLeft({ increments, blockedTasks }: Delivery, { tasks }: PlannedIncrement): PlannedTask[] {
  const blocked = withDependents(increments, blockedTasks);
  return tasks.filter(({ id }) => !blocked.has(id));
}

/** Tasks and all their dependents, direct or not: increments are in order, so one pass finds them. */
export function withDependents(increments: readonly PlannedIncrement[], tasks: readonly string[]): Set<string> {
  const found = new Set(tasks);
  for (const { id, depends_on } of increments.flatMap((one) => one.tasks)) if (depends_on.some((other) => found.has(other))) found.add(id);
  return found;
}

export function beginAttempt(delivery: Delivery, increment: DeliveredIncrement, turn: number): void {
  increment.turn = turn;
  increment.status = 'IN_PROGRESS';
  if (increment.underway) delivery.strayed = true;
  else increment.attempts += 1;
  increment.underway = true;
  increment.before ??= delivery.at;
}

/** How an attempt ended. `commit`: its commit in the worktree. `undone`: tasks that its executor could not do. */
export interface AttemptEnd {
  commit: string;
  failed: readonly FailedGate[];
  undone?: readonly string[];
  affectedFiles?: readonly string[];
  suggestion?: string;
}

/** `divided`: it was rolled back, and each of its tasks is an increment of its own now. */
export type AttemptVerdict = 'passed' | 'to-fix' | 'divided' | 'blocked';

/** A regression is fixed from where the increment began: breaking work is not built upon. */
export function endAttempt(delivery: Delivery, increment: DeliveredIncrement, end: AttemptEnd, fixes: number): AttemptVerdict {
  const { commit, failed, undone = [], affectedFiles = [], suggestion } = end;
  const before = increment.before ?? delivery.at;
  delete delivery.fix;
  delete increment.underway;
  if (failed.length === 0) {
    Object.assign(increment, { status: 'PASS', commit });
    delete increment.failed;
    delivery.at = commit;
    block(delivery, increment, undone);
    return 'passed';
  }
  increment.failed = failed.map(({ gate }) => gate);
  if (increment.attempts > fixes) {
    Object.assign(delivery, { at: before, strayed: true });
    if (tasksLeft(delivery, increment).length > 1) {
      divide(delivery, increment);
      return 'divided';
    }
    increment.status = 'BLOCKED';
    block(
      delivery,
      increment,
      increment.tasks.map(({ id }) => id),
    );
    return 'blocked';
  }
  const rolled_back = increment.failed.includes('no_regression');
  delivery.at = rolled_back ? before : commit;
  if (rolled_back) delivery.strayed = true;
  delivery.fix = {
    ...{ failed_gates: [...failed], affected_files: [...affectedFiles], earlier_commit: commit, rolled_back },
    ...defined({ suggestion }),
  };
  return 'to-fix';
}

/** A task that waits for a blocked one is blocked already. */
function divide({ increments, blockedTasks }: Delivery, increment: DeliveredIncrement): void {
  const blocked = withDependents(increments, blockedTasks);
  const blockerOf = ({ depends_on }: PlannedTask) =>
    increments.find(({ tasks }) => tasks.some(({ id }) => blocked.has(id) && depends_on.includes(id)))?.id;
  const alone = increment.tasks.map((task, i): DeliveredIncrement => {
    const one = { id: `${increment.id}.${i + 1}`, tasks: [task], attempts: 0 };
    return blocked.has(task.id) ? { ...one, status: 'BLOCKED', ...defined({ blockedBy: blockerOf(task) }) } : one;
  });
  increments.splice(increments.indexOf(increment), 1, ...alone);
}

function block(delivery: Delivery, by: DeliveredIncrement, tasks: readonly string[]): void {
  delivery.blockedTasks.push(...tasks);
  const blocked = withDependents(delivery.increments, delivery.blockedTasks);
  for (const other of delivery.increments) {
    if (other.status !== undefined || other.tasks.some(({ id }) => !blocked.has(id))) continue;
    Object.assign(other, { status: 'BLOCKED', blockedBy: by.id });
  }
}

/** Passed ones, each on top of the earlier ones: a lost one that is tried again comes last, wherever it is in the plan. */
export function keptIncrements({ increments }: Delivery): DeliveredIncrement[] {
  return increments.filter(({ status }) => status === 'PASS').sort((a, b) => (a.turn ?? 0) - (b.turn ?? 0));
}

/** The validation of the whole fails with every increment but the first `count` of those kept: the others are reverted. */
export function keepFirst(delivery: Delivery, count: number): void {
  const kept = keptIncrements(delivery);
  for (const increment of kept.slice(count)) increment.status = 'REVERTED';
  delivery.at = kept[count - 1]?.commit ?? delivery.base;
}

/** Blocked or reverted. */
export function lostIncrements({ increments }: Delivery): DeliveredIncrement[] {
  return increments.filter(({ status }) => status === 'BLOCKED' || status === 'REVERTED');
}

/** More are lost than the share, or the count, allows. */
export function isOverShare(delivery: Delivery, most: FrozenQuorum): boolean {
  const [lost, all] = [lostIncrements(delivery).length, delivery.increments.length];
  if (typeof most === 'number') return lost > most * all;
  return 'count' in most ? lost > most.count : lost * most.share[1] > most.share[0] * all;
}

const MOST_IN_SIGNAL = 20;

/** What the journal gets of a delivery: the last of many increments, so that a long plan does not make every entry longer. */
export function progressSignal(delivery: Delivery): DeliveryProgress {
  const progress = progressOf(delivery);
  return { ...progress, gate_history: progress.gate_history.slice(-MOST_IN_SIGNAL) };
}

export function progressOf(delivery: Delivery): DeliveryProgress {
  const { increments } = delivery;
  const [completed, current] = [keptIncrements(delivery).length, currentIncrement(delivery)];
  return {
    total_increments: increments.length,
    completed,
    ...defined({ current: current && increments.indexOf(current) + 1 }),
    progress_percent: Math.floor((100 * completed) / increments.length),
    gate_history: increments.flatMap(({ id, attempts, status }) => (status === undefined ? [] : [{ id, attempts, status }])),
  };
}
