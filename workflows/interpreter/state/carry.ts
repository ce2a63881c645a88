import type { CarryAnswer, CarryProblem, CarryQuery } from '../../../plan/carry';
import type { ControlStep } from '../../../plan/control';
import { dependencies } from '../../../plan/order';
import { isSettled } from '../../../plan/status';
import { everyStep, stepsWithin } from '../../../plan/walk';
import { type Frame, isContainer, isWithin, makeFrame, type Place, type PlaceOf, stepIdAt } from '../place';
import type { Run } from '../run';
import { type CarryStart, carryStart } from './carry-start';
import { freshRecord, type StepRecord } from './record';

/**
 * What a rerun carries over (engine.md, *Failures*): all that is settled and is neither the step that it begins from nor behind it.
 *
 * Invariants: 1. asking changes nothing; 2. whatever depends on a step that runs again runs again; 3. of a container that runs
 * again because of a step within it, what else is done within it is carried: other branches, the steps before, the other
 * iterations of a loop. Of an iteration that is over only outputs are left: a loop that is to begin within one begins as a whole.
 */
export function carryOver(run: Run, query: CarryQuery): CarryAnswer | CarryProblem {
  const start = carryStart(run, query.from);
  if ('problem' in start) return start;
  const to: Gathering = { run, start, forced: new Set(query.again ?? []), records: {}, behind: new Set(), reopened: new Set(), notes: [] };
  gather(to, makeFrame({ block: run.plan.block, kind: 'run' }));
  const last = new Set([...everyStep<ControlStep>(run.plan.finally?.steps ?? [])].map(({ id }) => id));
  const again = Object.entries(run.state.records).flatMap(([path, { state }]) => {
    const [outermost = path] = path.split(/[/[]/);
    return state === 'pending' || to.records[path]?.carried || last.has(outermost) ? [] : [path];
  });
  const { child } = start;
  const whole = child && !reachesChild(to, child.path);
  if (whole) to.notes.push(`${child.path} runs again as a whole: it, or something before it, runs again for another reason`);
  return {
    carry: { run: run.ctx.info.workflowId, from: query.from, records: to.records },
    again,
    notes: to.notes,
    ...(child && !whole ? { child } : {}),
  };
}

interface Gathering {
  run: Run;
  start: CarryStart;
  /** Ids of steps that must run again. */
  forced: ReadonlySet<string>;
  records: Record<string, StepRecord>;
  /** Paths of steps that run again because of something before them. */
  behind: Set<string>;
  /** Paths of those that run again for their own sake, or for something within them. */
  reopened: Set<string>;
  notes: string[];
}

function gather(to: Gathering, frame: Frame): void {
  const own = new Set(frame.places.filter((place) => runsAgain(to, place)).map(({ step }) => step.id));
  const behind = dependents(frame, own);
  for (const place of frame.places) {
    if (behind.has(place.step.id)) to.behind.add(place.path);
    else if (own.has(place.step.id)) gatherWithin(to, place);
    else gatherWhole(to, place);
  }
}

/** Of a step that runs again, but not because of one before it: what is done within it. */
function gatherWithin(to: Gathering, place: Place): void {
  const { step, path } = place;
  const record = to.run.state.records[path];
  to.reopened.add(path);
  if (path === to.start.path || to.forced.has(step.id) || !record) return;
  switch (step.kind) {
    case 'group':
      gather(to, makeFrame({ block: step.block, kind: 'block', container: place }));
      return;
    case 'parallel':
      gather(to, makeFrame({ block: { order: 'graph', steps: step.branches }, kind: 'branches', container: place }));
      return;
    case 'for_each':
      gatherLoop(to, { ...place, step }, record);
      return;
    default:
      return;
  }
}

function gatherLoop(to: Gathering, place: PlaceOf<'for_each'>, { loop }: StepRecord): void {
  const { path, step } = place;
  const named = to.start.path.startsWith(`${path}[`) ? Number.parseInt(to.start.path.slice(path.length + 1), 10) : undefined;
  if (!loop || holdsForced(to, step)) return;
  if (named !== undefined && !loop.live.includes(named)) {
    to.notes.push(`iteration ${named} of ${path} is not under way: ${path} begins again as a whole`);
    return;
  }
  to.records[path] = { ...freshRecord(1), loop };
  for (const iteration of loop.live) gather(to, makeFrame({ block: step.block, kind: 'block', container: place, iteration }));
}

/** A settled step with all that is within it. */
function gatherWhole({ run, records }: Gathering, { path, step }: Place): void {
  const from = run.ctx.info.workflowId;
  records[path] = carriedRecord(run.record(path), from);
  if (!isContainer(step)) return;
  for (const [within, record] of Object.entries(run.state.records))
    if (isWithin(within, path)) records[within] = carriedRecord(record, from);
}

/** Whether a step runs again for its own sake, or for something within it. */
function runsAgain(to: Gathering, { step, path, frame }: Place): boolean {
  if (path === to.start.path || isWithin(to.start.path, path)) return true;
  if (to.forced.has(step.id) || holdsForced(to, step)) return true;
  const record = to.run.state.records[path];
  if (!record || !isSettled(record.state)) return true;
  if (record.state === 'done') return false;
  if (record.state === 'failed') return !record.tolerated;
  // What had begun was called off, unless it had failed. Branches that never began may be wanted now.
  return record.startedAtMs === undefined ? frame.kind === 'branches' : record.error === undefined;
}

function holdsForced({ forced }: Gathering, step: ControlStep): boolean {
  for (const { id } of everyStep<ControlStep>(stepsWithin<ControlStep>(step))) if (forced.has(id)) return true;
  return false;
}

/** Whether a child pipeline runs again for the step within it alone. */
function reachesChild({ behind, forced, reopened }: Gathering, path: string): boolean {
  return reopened.has(path) && !behind.has(path) && !forced.has(stepIdAt(path));
}

/** The steps behind any of some. */
function dependents({ block, places }: Frame, some: ReadonlySet<string>): Set<string> {
  const needs = dependencies(block);
  const found = new Set<string>();
  for (let grown = some.size > 0; grown; ) {
    grown = false;
    for (const { step } of places) {
      if (found.has(step.id) || !(needs.get(step.id) ?? []).some((before) => some.has(before) || found.has(before))) continue;
      found.add(step.id);
      grown = true;
    }
  }
  return found;
}

const KEPT = [
  'startedAtMs',
  'endedAtMs',
  'artifact',
  'values',
  'verdict',
  'adapter',
  'critic',
  'decision',
  'error',
  'missing',
  'tolerated',
  'timedOut',
  'subject',
  'asked',
  'loop',
  'leftContext',
  'contextWithin',
] as const satisfies readonly (keyof StepRecord)[];

/** Results, and nothing of what they cost: nothing was paid for them in the new run. */
function carriedRecord(record: StepRecord, from: string): StepRecord {
  const { state, round, try: again, base } = record;
  const kept = Object.fromEntries(KEPT.flatMap((key) => (record[key] === undefined ? [] : [[key, record[key]]])));
  return { ...kept, state, round, try: again, ...(base === undefined ? {} : { base }), carried: { run: record.carried?.run ?? from } };
}
