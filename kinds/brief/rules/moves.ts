import type { ReviewVerdict } from '../../../plan/brief/hand-off';
import type { BriefNote } from '../../../plan/brief/note';
import { inRunOrder } from '../../../plan/brief/sub-task-order';
import { defined } from '../../../plan/defined';
import { brief } from '../../../plan/patterns/brief';
import { bug } from '../../../plan/run/failure';
import { shortened } from '../../../plan/text/shortened';
import type { CoordinatorState } from './coordinator-state';
import { currentTask, nextJudge } from './due';
import type { GoodReply } from './events';
import type { Halt, PlannedTask, SubTaskState } from './words';

/** What follows from replies and verdicts. */

export function keepReply(state: CoordinatorState, reply: GoodReply): void {
  switch (reply.kind) {
    case 'planned':
      state.plan = reply.plan;
      state.subtasks = inRunOrder(reply.subtasks).map(newTask);
      return;
    case 'executed': {
      const task = currentTask(state);
      task.execution = reply.execution;
      delete task.reports;
      return;
    }
    case 'reviewed': {
      const judge = nextJudge(state);
      const { verdict, report } = reply;
      if (judge) currentTask(state).reports = { ...currentTask(state).reports, [judge]: { verdict, report } };
    }
  }
}

function newTask({ id, title, role, depends_on = [] }: PlannedTask): SubTaskState {
  return {
    ...{ id, title: shortened(title, MOST_TITLE), dependsOn: [...new Set(depends_on)], stage: 'open', attempts: 0, retries: 0 },
    ...defined({ role }),
  };
}

/** In state; the plan has the whole title. */
const MOST_TITLE = 100;

/** A reply that is kept, and that nothing holds, leads on. `role` has replied. */
export function follow(state: CoordinatorState, role: string): void {
  if (state.team.isPlanOnly) {
    state.at = 'complete';
    state.over = 'planned';
  } else if (state.at === 'plan') {
    state.at = 'dispatch';
    state.current = state.subtasks[0]?.id ?? '';
  } else if (nextJudge(state)) state.at = 'review_step';
  else judge(state, role);
}

/** Everybody has judged. Nobody judges: it passes. */
function judge(state: CoordinatorState, role: string): void {
  const reports = Object.entries(currentTask(state).reports ?? {});
  const [first = 'pass', ...others] = new Set(reports.map(([, { verdict }]) => verdict));
  if (others.length === 0) applyVerdict(state, first, role);
  else
    halt(state, 'block', {
      why: 'disagreement',
      by: role,
      reason: reports.map(([judge, { verdict }]) => `the ${judge} says ${verdict}`).join(', '),
    });
}

export function applyVerdict(state: CoordinatorState, verdict: ReviewVerdict, by: string): void {
  const task = currentTask(state);
  if (verdict === 'pass') end(state, 'passed');
  else if (verdict === 'fail') halt(state, 'escalate', { why: 'verdict', by, reason: `"${task.id}" fails` });
  else if (task.retries < state.team.retries) {
    task.retries += 1;
    state.at = 'retry';
  } else {
    const { retries } = state.team;
    const used = retries === 1 ? 'its retry is' : `its ${retries} retries are`;
    halt(state, 'escalate', { why: 'retries', by, reason: `"${task.id}" needs another try, and ${used} used up` });
  }
}

export function execute(state: CoordinatorState): void {
  const task = currentTask(state);
  task.stage = 'working';
  task.attempts += 1;
  state.at = 'execute';
}

/** The current sub-task is over. */
export function end(state: CoordinatorState, stage: 'passed' | 'skipped'): void {
  currentTask(state).stage = stage;
  state.at = 'next_subtask';
}

export function halt(state: CoordinatorState, at: 'block' | 'escalate', { reason, ...rest }: Omit<Halt, 'from'>): void {
  const from = state.halt?.from ?? state.at;
  if (from !== 'plan' && from !== 'execute' && from !== 'review_step') throw bug(`nobody is asked in ${from}`);
  state.halt = { ...rest, from, reason: brief(reason) };
  state.at = at;
  if (state.team.isPlanOnly) state.over = 'unplanned';
}

/**
 * The next open sub-task, in their order. One that depends on a skipped one is skipped, too: what it says it needs is not there. A person
 * who wants it done nevertheless passes the other instead of skipping it.
 */
export function assignNext(state: CoordinatorState): BriefNote[] {
  const skipped = new Set(state.subtasks.flatMap(({ id, stage }) => (stage === 'skipped' ? [id] : [])));
  const notes: BriefNote[] = [];
  for (const task of state.subtasks) {
    if (task.stage !== 'open') continue;
    const missing = task.dependsOn.find((id) => skipped.has(id));
    if (missing === undefined) {
      state.at = 'dispatch';
      state.current = task.id;
      return notes;
    }
    task.stage = 'skipped';
    skipped.add(task.id);
    notes.push({ event: 'skipped', subtask: task.id, reason: `it depends on "${missing}", which is skipped` });
  }
  state.at = 'complete';
  state.over = skipped.size === 0 ? 'success' : 'incomplete';
  delete state.current;
  return notes;
}
