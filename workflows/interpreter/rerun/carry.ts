import { defined, unlessEmpty } from '../../../plan/defined';
import type { CarryAnswer, CarryProblem, CarryQuery } from '../../../plan/run/carry';
import type { ControlStep } from '../../../plan/steps/control';
import { everyStep } from '../../../plan/steps/walk';
import { unreportedWork, withRecovered } from '../cancellation/recover-results';
import type { Run } from '../run';
import { makeFrame, stepIdAt } from '../scheduling/place';
import { carriedWorktrees } from '../worktrees/carried-worktrees';
import { carryRecords, reachesChild } from './carry-records';
import { type CarryStart, carryStart } from './carry-start';
import { type CarryState, isCarried } from './carry-state';
import { describeCarriedGates, judgeCarriedGates, readersOfAnswers, whatChangedBehind } from './gate-carry';

/**
 * What a rerun carries over: everything that is settled and is neither the step that it begins from nor after it, except decisions that
 * were made for other values. Asking changes nothing.
 */
export function carryOver(asked: Run, query: CarryQuery): CarryAnswer | CarryProblem {
  const run = query.recorded ? withRecovered(asked, query.recorded) : asked;
  const answer = carriedFrom(run, query);
  const calls = query.recorded ? [] : unreportedWork(run).map(({ call, kind }) => ({ call, kind }));
  if ('problem' in answer || calls.length === 0) return answer;
  return { ...answer, unreported: { run: run.ctx.info.firstRunId, calls } };
}

function carriedFrom(run: Run, query: CarryQuery): CarryAnswer | CarryProblem {
  const start = carryStart(run, query.from);
  if ('problem' in start) return start;
  const asked = new Map<string, string>();
  for (;;) {
    const to = gathered(run, start, query, asked);
    const { again, problem } = judgeCarriedGates(to, query);
    if (problem !== undefined) return { problem };
    // A step that reads the answer to a gate that is asked again runs again, which may affect other gates.
    if (again.size === 0) return answer(to, query);
    for (const [path, because] of again) asked.set(path, because);
  }
}

function gathered(run: Run, start: CarryStart, query: CarryQuery, asked: ReadonlyMap<string, string>): CarryState {
  const forced = new Set(query.again ?? []);
  for (;;) {
    const to = gatheredWith(run, start, query, asked, forced);
    const waiting = waitingForAgain(to);
    if (waiting.length === 0) return to;
    for (const id of waiting) forced.add(id);
  }
}

/** Steps that waited for one of another branch which runs again, and that would otherwise be carried over. */
function waitingForAgain({ run, forced, records }: CarryState): string[] {
  const waiting = [...run.steps.values()].filter(({ step }) => step.awaits && !forced.has(step.id));
  if (waiting.length === 0) return [];
  const again = new Set(Object.keys(run.state.records).flatMap((path) => (isCarried({ records }, path) ? [] : [stepIdAt(path)])));
  return waiting.flatMap(({ step }) => (step.awaits?.some((id) => again.has(id)) ? [step.id] : []));
}

function gatheredWith(
  run: Run,
  start: CarryStart,
  query: CarryQuery,
  asked: ReadonlyMap<string, string>,
  forced: ReadonlySet<string>,
): CarryState {
  const to: CarryState = {
    run,
    start,
    changed: changedValues(run, query),
    forced,
    asked,
    readers: readersOfAnswers({ run, asked }),
    records: {},
    behind: new Set(),
    reopened: new Set(),
    notes: [],
  };
  carryRecords(to, makeFrame({ block: run.plan.block, kind: 'run' }));
  return to;
}

/** Which steps read a changed value, by id, and which value that is. The later of several wins. */
function changedValues({ steps }: Run, { again = [], changed = {}, otherScript }: CarryQuery): Map<string, string> {
  const scripted = [...steps.values()].filter(({ step: { kind } }) => otherScript && SCRIPTED.includes(kind));
  return new Map([
    ...scripted.map(({ step }) => [step.id, 'the script of the agents'] as const),
    ...again.map((id) => [id, 'an arg'] as const),
    ...Object.entries(changed).flatMap(([value, ids]) => ids.map((id) => [id, value] as const)),
  ]);
}
/** Kinds with agents, or children's agents, that a script plays. */
const SCRIPTED: readonly string[] = ['agent', 'review', 'pipeline'];

function answer(to: CarryState, query: CarryQuery): CarryAnswer {
  const { run, start, records, notes } = to;
  const last = new Set([...everyStep<ControlStep>(run.plan.finally?.steps ?? [])].map(({ id }) => id));
  const again = Object.entries(run.state.records).flatMap(([path, { state }]) => {
    const [outermost = path] = path.split(/[/[]/);
    return state === 'pending' || isCarried(to, path) || last.has(outermost) ? [] : [path];
  });
  const { child } = start;
  const whole = child && !reachesChild(to, child.path);
  if (whole) notes.push(`${child.path} runs again completely: it, or a step before it, runs again for another reason`);
  const behind = child && !whole ? whatChangedBehind(to, child.path, query) : undefined;
  const worktrees = unlessEmpty(carriedWorktrees(run, records));
  return {
    carry: { run: run.ctx.info.workflowId, from: query.from, records, ...defined({ worktrees }) },
    again,
    gates: describeCarriedGates(to),
    notes,
    ...defined({ child: child && !whole ? { ...child, ...defined({ behind }) } : undefined }),
  };
}
