import { goesInRounds, isContainer, iterates } from '../../../kinds/questions';
import { type KindsWith, traitsOf } from '../../../kinds/traits';
import { defined, unlessEmpty } from '../../../plan/defined';
import { isSettled } from '../../../plan/run/step-state';
import { isWithin } from '../../../plan/steps/address';
import type { ControlStep } from '../../../plan/steps/control';
import { stepsBehind } from '../../../plan/steps/order';
import { hasParts } from '../../../plan/steps/walk';
import { partsIn } from '../context/attempt-log';
import { type Frame, frameIn, isContainerPlace, makeFrame, type Place, type PlaceOf, partsFrame, stepIdAt } from '../scheduling/place';
import { iterationsOf } from '../state/iterations';
import { beginsAnew, goesBack, kindStateAfter, kindStateBefore, roundsOf } from '../state/kind-state';
import { type AskedRecord, freshRecord, type StepRecord } from '../state/step-record';
import { turnsOf } from '../state/turns';
import { type CarryState, holdsAny, isAtOrWithin } from './carry-state';
import { isAround, memoryBefore, settledBefore } from './memory-before';
import { hasItsWork, holdsForced, isForced, runsAgain } from './runs-again';

/**
 * Gathers what is carried over of a block.
 *
 * Invariants: 1. whatever depends on a step that runs again runs again; 2. if a container runs again because of an inner step, its other
 * finished steps are carried: other branches, the steps before, the other iterations of a loop. Only outputs of a finished iteration are
 * left: a loop that should begin within one begins as a whole; 3. a gate that is asked again repeats no work: work after it is carried,
 * except for steps that read its answer; 4. nor does a step repeat work that was cancelled when only a decision about it was left; 5. a
 * step whose kind keeps its finished work continues from there, wherever within it the rerun begins, unless what that depends on runs
 * again.
 */
export function carryRecords(to: CarryState, frame: Frame): void {
  const own = new Set(frame.places.filter((place) => runsAgain(to, place)).map(({ step }) => step.id));
  const behind = stepsBehind(frame.block, own);
  const asking = frame.places.filter(({ path }) => to.asked.has(path) || holdsAny(path, to.asked.keys()));
  const waiting = stepsBehind(
    frame.block,
    asking.map(({ step }) => step.id),
  );
  for (const place of frame.places) {
    if (behind.has(place.step.id)) to.behind.add(place.path);
    else if (own.has(place.step.id) && hasItsWork(to, place)) gatherWork(to, place);
    else if (own.has(place.step.id) && beginsFromKept(to, place)) gatherKept(to, place);
    else if (own.has(place.step.id)) gatherWithin(to, place);
    else if (to.asked.has(place.path)) gatherGate(to, place);
    else if (asking.includes(place)) gatherContent(to, place);
    else {
      gatherWhole(to, place);
      const { carried } = to.records[place.path] ?? {};
      if (carried && waiting.has(place.step.id)) carried.waits = true;
    }
  }
}

/** For a step that runs again, but not because of an earlier one: its finished inner steps. */
function gatherWithin(to: CarryState, place: Place): void {
  to.reopened.add(place.path);
  if (place.path !== to.start.path && !isForced(to, place)) gatherContent(to, place);
}

function gatherContent(to: CarryState, place: Place): void {
  const { step, path } = place;
  const record = to.run.state.records[path];
  if (!record) return;
  if (iterates(step)) gatherLoop(to, { ...place, step }, record);
  else if (hasParts<ControlStep>(step)) gatherParts(to, place, step.parts, record);
  else if (isContainer(step)) carryRecords(to, frameIn({ ...place, step }));
}

function gatherLoop(to: CarryState, place: PlaceOf<KindsWith<{ iterates: 'items' | 'rounds' }>>, record: StepRecord): void {
  const loop = iterationsOf(record);
  const kept = kindStateAfter('run', record);
  const { eyes } = record.within ?? {};
  const { path, step } = place;
  const start = to.start.path;
  const named = turnWithin(path, start);
  if (!loop || !kept || holdsForced(to, step)) return;
  // A loop that failed because its rounds were used up begins again at its first round.
  if (record.state === 'failed' && roundsOf(record)?.exhaustedIn !== undefined) return;
  if (named !== undefined && !loop.live.includes(named)) {
    to.notes.push(`${goesInRounds(step) ? 'round' : 'iteration'} ${named} of ${path} is not running: all of ${path} starts again`);
    return;
  }
  to.records[path] = { ...freshRecord(1), kept, ...defined({ within: eyes && { eyes } }) };
  for (const iteration of loop.live) carryRecords(to, makeFrame({ block: step.block, kind: 'block', container: place, iteration }));
}

/**
 * For a step with parts that runs again because of some of them: parts that had settled before the first of these began, and the step's
 * memory up to there. Without that memory the results of turns with forgotten parts are unknown: then it begins as a whole.
 */
function gatherParts(to: CarryState, place: Place, parts: ControlStep[], record: StepRecord): void {
  const { run } = to;
  const { path, step } = place;
  const turns = turnsOf(run, path);
  // Its own question is asked anew: its memory has the answer.
  if (turns.length === 0 || holdsForced(to, step) || to.asked.has(path)) return;
  const again = [to.start.path, ...to.asked.keys(), ...to.readers].filter((at) => isWithin(at, path));
  const stays = settledBefore(run, again);
  const work = stays && memoryBefore(record, stays);
  if (!stays || (!work && turns[0] !== 1)) {
    to.notes.push(`the results of earlier turns of ${path} are no longer known: ${path} begins again as a whole`);
    return;
  }
  const { asked, within: { eyes } = {} } = record;
  const remembered = new Set(partsIn(work ?? []));
  const people = { ...defined({ asked: asked && placesLeft(asked, remembered), within: eyes && { eyes } }) };
  if (work) to.records[path] = { ...freshRecord(1), ...people, attempt: { work } };
  for (const turn of turns) {
    const begun = partsFrame(place, parts, turn).places.filter((part) => run.state.records[part.path]);
    for (const part of begun) if (remembered.has(part.path)) gatherWhole(to, part);
    const open = begun.filter(({ path: at }) => {
      if (remembered.has(at)) return false;
      return stays(at) || !isSettled(run.record(at).state) || isAround(at, again);
    });
    carryRecords(
      to,
      partsFrame(
        place,
        open.map((part) => part.step),
        turn,
      ),
    );
  }
}

/** A place at a gate that is asked again is open again. */
function placesLeft({ gate: _open, decision: _last, places = [], ...asked }: AskedRecord, remembered: ReadonlySet<string>): AskedRecord {
  const left = places.filter(({ gate }) => remembered.has(gate));
  return { ...asked, ...defined({ places: unlessEmpty(left) }) };
}

/** Whether the kept state of a step with parts is valid: its kind resumes wherever it begins, or what it depends on does not run again. */
function beginsFromKept(to: CarryState, { step, path }: Place): boolean {
  const record = to.run.state.records[path];
  const { restsOn, resumes } = traitsOf(step.kind);
  if ((restsOn === undefined && !resumes) || !record || !kindStateAfter('run', record) || !hasParts<ControlStep>(step)) return false;
  if (to.asked.has(path) || to.forced.has(step.id)) return false;
  if (restsOn === undefined) return true;
  const foundation = `${step.id}_${restsOn}`;
  if (to.forced.has(foundation)) return false;
  return ![to.start.path, ...to.asked.keys(), ...to.readers].some((at) => isWithin(at, path) && stepIdAt(at) === foundation);
}

/** Its kept state, with the parts on which that depends: its code begins anew, and continues from there. */
function gatherKept(to: CarryState, place: Place): void {
  const { run, records, reopened, notes } = to;
  const { step, path } = place;
  const record = run.record(path);
  const { within: { eyes } = {} } = record;
  const { restsOn } = traitsOf(step.kind);
  const turn = turnWithin(path, to.start.path);
  const kept = turn === undefined ? record.kept : kindStateBefore(turn, record);
  reopened.add(path);
  records[path] = { ...freshRecord(1), ...defined({ kept, within: eyes && { eyes } }) };
  if (restsOn === undefined) {
    if (!beginsAnew(kept)) notes.push(`${path} goes on with what is not done yet; to begin it as a whole, rerun from ${wholeOf(place)}`);
    return;
  }
  const foundation = `${step.id}_${restsOn}`;
  for (const [within, part] of run.index.within(run.state.records, path))
    if (stepIdAt(within) === foundation && part.state === 'done') records[within] = carriedRecord(part, run.ctx.info.workflowId);
  notes.push(`${path} goes on with what is not done yet; to begin it as a whole, rerun from ${path}[1]/${foundation}`);
}

/** Where a rerun does all of a step: at the first turn of its parts, if what it keeps can go back there. */
function wholeOf({ step, path }: Place): string {
  const [first] = hasParts<ControlStep>(step) && goesBack(step.kind) ? step.parts : [];
  return first === undefined ? 'a step before it' : `${path}[1]/${first.id}`;
}

/** The turn of a container’s parts that a path is in; undefined if it is not within. */
function turnWithin(container: string, path: string): number | undefined {
  return path.startsWith(`${container}[`) ? Number.parseInt(path.slice(container.length + 1), 10) : undefined;
}

/** A gate that is asked again: for an approval after a step's work, the work is done. */
function gatherGate(to: CarryState, place: Place): void {
  if (place.step.approval) gatherWork(to, place);
}

/** A step's work is carried, and the step continues after it. */
function gatherWork(to: CarryState, place: Place): void {
  const { path } = place;
  gatherWhole(to, place);
  const {
    carried: _run,
    asked: { gate: _open, decision: _last, passed: _all, places: _filled, ...asked } = {},
    times: _before,
    ...work
  } = to.records[path] ?? freshRecord(1);
  // An agent, or its critic, itself knows which of its work is done.
  const done = 'agent' in place.step ? {} : { attempt: { work: [], ended: {} } };
  to.records[path] = { ...work, asked, state: 'pending', ...done };
}

/** A settled step with everything within it. */
function gatherWhole({ run, records }: CarryState, { path, step }: Place): void {
  const from = run.ctx.info.workflowId;
  records[path] = carriedRecord(run.record(path), from);
  if (!isContainerPlace(step)) return;
  for (const [within, record] of run.index.within(run.state.records, path)) records[within] = carriedRecord(record, from);
}

/** Whether a child pipeline runs again only for the step within it. */
export function reachesChild({ behind, forced, reopened, readers }: CarryState, path: string): boolean {
  const id = path.slice(path.lastIndexOf('/') + 1);
  return reopened.has(path) && !behind.has(path) && !forced.has(id) && !isAtOrWithin(path, readers);
}

/** The fields of an earlier run's record that the new run keeps. */

const KEPT = ['times', 'output', 'error'] as const satisfies readonly (keyof StepRecord)[];

/** Results without their cost: nothing was paid for them in the new run. */
function carriedRecord(record: StepRecord, from: string): StepRecord {
  const { state, round, try: again } = record;
  const kept = kindStateAfter('run', record);
  const { base, eyes } = record.within ?? {};
  const { gate: _open, ...asked } = record.asked ?? {};
  const results = Object.fromEntries(KEPT.flatMap((key) => (record[key] === undefined ? [] : [[key, record[key]]])));
  return {
    ...results,
    ...defined({ kept, asked: record.asked && asked, within: unlessEmpty(defined({ base, eyes })) }),
    ...{ state, round, try: again },
    carried: { run: record.carried?.run ?? from },
  };
}
