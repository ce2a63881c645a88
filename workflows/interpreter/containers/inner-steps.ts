import { addUsage } from '../../../plan/budgets/usage';
import { defined, unlessEmpty } from '../../../plan/defined';
import { isSettled } from '../../../plan/run/step-state';
import { isWithin } from '../../../plan/steps/address';
import { hasParts } from '../../../plan/steps/walk';
import { settleStepBudget } from '../budget/settle-step';
import { interestedOf, noteInterested } from '../gates/four-eyes-record';
import { closeGate } from '../gates/gates';
import type { Interpreter } from '../interpreter';
import { isContainerPlace, type Place, stepIdAt } from '../scheduling/place';
import { iterationsOf } from '../state/iterations';
import { kindStateAfter } from '../state/kind-state';
import { freshRecord, type StepRecord, type WithinRecord } from '../state/step-record';

/** What happens to the steps within a container when the container itself runs again. */

/**
 * For a container's next round: everything within begins again. Returns the round in which it begins, which no inner step has had yet: an
 * address is never used twice.
 */
export function supersedeInnerSteps(it: Interpreter, container: Place): number | undefined {
  if (!isContainerPlace(container.step)) return undefined;
  const { run } = it;
  const before = run.record(container.path);
  let last = Math.max(before.within?.base ?? 1, before.within?.top ?? 1);
  for (const [path, record] of recordsWithin(it, container)) {
    last = Math.max(last, record.round, record.within?.base ?? 1, record.within?.top ?? 1);
    if (record.asked?.gate) closeGate(run, path, 'superseded');
    settleStepBudget(it, path);
    if (!isSettled(record.state)) it.slots.give(path);
    addUsageOfDropped(before, record);
    run.dropRecord(path);
  }
  return last + 1;
}

/** What is dropped has been paid for all the same. */
function addUsageOfDropped(container: StepRecord, dropped: StepRecord): void {
  for (const round of [...(dropped.superseded ?? []), dropped]) {
    const usage = addUsage(container.usage, round.usage);
    if (usage) container.usage = usage;
  }
}

/**
 * Finished parts of a continuing container, such as an iteration or a turn, leave only their usage in state, the people on whom its
 * decisions depend, and the rounds that it has had: a later round of the container must not reuse an address.
 */
export function forget(it: Interpreter, container: StepRecord, paths: readonly string[]): void {
  const { run } = it;
  const { state } = run;
  const gone = new Set(paths);
  let top = container.within?.top ?? 1;
  for (const path of paths) {
    const record = state.records[path];
    if (!record) continue;
    settleStepBudget(it, path);
    addUsageOfDropped(container, record);
    if (record.asked?.passed || record.within?.eyes) noteInterested(container, interestedOf(run.steps.get(stepIdAt(path))?.step, record));
    top = Math.max(top, record.round, record.within?.top ?? 1);
    run.dropRecord(path);
  }
  if (paths.length === 0) return;
  container.within = { ...container.within, top };
  for (const counter of Object.keys(state.revisions))
    if (gone.has(counter.slice(0, counter.lastIndexOf(':')))) delete state.revisions[counter];
  if (state.skipRest.length === 0) return;
  const frames = new Set(paths.flatMap((path) => [path, path.slice(0, path.lastIndexOf('/'))]));
  state.skipRest = state.skipRest.filter((key) => !frames.has(key));
}

/** For a container's next try: finished steps stay done; failed or cancelled ones begin their next round. */
export function resumeInnerSteps(it: Interpreter, container: Place): void {
  if (!isContainerPlace(container.step)) return;
  const { run } = it;
  for (const [path, record] of recordsWithin(it, container)) {
    if (record.state === 'done') continue;
    settleStepBudget(it, path);
    const { base = 1 } = record.within ?? {};
    const round = Math.max(record.round, base - 1) + 1;
    run.putRecord(path, { ...freshRecord(round), ...begunWithin(it, path, record) });
  }
  const prefixes = [container.path];
  run.state.skipRest = run.state.skipRest.filter((key) => !prefixes.some((prefix) => key === prefix || isWithin(key, prefix)));
}

/**
 * In a failed container a loop keeps its finished iterations, and people's decisions in them; a step with parts keeps its turns, since
 * finished parts stay done.
 */
function begunWithin({ run }: Interpreter, path: string, record: StepRecord): Pick<StepRecord, 'kept' | 'within'> {
  const { base, top, eyes } = record.within ?? {};
  const step = run.steps.get(stepIdAt(path))?.step;
  const goesOn = iterationsOf(record) !== undefined || (step !== undefined && hasParts(step));
  const kept = goesOn ? kindStateAfter('try', record) : undefined;
  const within: WithinRecord = defined({ base, top, eyes: kept && eyes });
  return defined({ kept, within: unlessEmpty(within) });
}

function recordsWithin({ run }: Interpreter, container: Place): [string, StepRecord][] {
  return run.index.within(run.state.records, container.path);
}
