import { isSettled } from '../../../plan/status';
import { addUsage } from '../../../plan/usage';
import { closeGate } from '../gates/gates';
import type { Interpreter } from '../interpreter';
import { isWithin, type Place, runsOthers } from '../place';
import { loopOf } from '../state/kept';
import { freshRecord, type StepRecord } from '../state/record';

/** What becomes of the steps within a container when the container itself runs again. */

/**
 * For a container's next round: everything within begins anew. Answers with the round that it begins in, which no step within
 * has had yet: an address is never used twice.
 */
export function supersedeWithin(it: Interpreter, container: Place): number | undefined {
  if (!runsOthers(container.step)) return undefined;
  const { run } = it;
  const before = run.record(container.path);
  let last = Math.max(before.within?.base ?? 1, before.within?.top ?? 1);
  for (const [path, record] of recordsWithin(it, container)) {
    last = Math.max(last, record.round, record.within?.base ?? 1, record.within?.top ?? 1);
    if (record.gate) closeGate(run, path, 'superseded');
    if (!isSettled(record.state)) it.slots.give(path);
    addTo(before, record);
    run.dropRecord(path);
  }
  return last + 1;
}

/** What is dropped has been paid for all the same. */
export function addTo(container: StepRecord, dropped: StepRecord): void {
  for (const round of [...(dropped.superseded ?? []), dropped]) {
    const usage = addUsage(container.usage, round.usage);
    if (usage) container.usage = usage;
  }
}

/** For a container's next try: what is done stays done; what failed, or was called off, begins its next round. */
export function resumeWithin(it: Interpreter, container: Place): void {
  if (!runsOthers(container.step)) return;
  const { run } = it;
  for (const [path, record] of recordsWithin(it, container)) {
    if (record.state === 'done') continue;
    const { base = 1 } = record.within ?? {};
    const round = Math.max(record.round, base - 1) + 1;
    run.putRecord(path, { ...freshRecord(round), ...begunWithin(record) });
  }
  const prefixes = [container.path];
  run.state.skipRest = run.state.skipRest.filter((key) => !prefixes.some((prefix) => key === prefix || isWithin(key, prefix)));
}

/** A loop within a container that failed keeps what its iterations have done, and what people decided in them. */
function begunWithin(record: StepRecord): Pick<StepRecord, 'kept' | 'within'> {
  const { base, eyes } = record.within ?? {};
  const loop = loopOf(record);
  return {
    ...(loop ? { kept: { kind: 'for_each', loop } } : {}),
    ...(base === undefined && !(loop && eyes)
      ? {}
      : { within: { ...(base === undefined ? {} : { base }), ...(loop && eyes ? { eyes } : {}) } }),
  };
}

function recordsWithin({ run }: Interpreter, container: Place): [string, StepRecord][] {
  return run.index.within(run.state.records, container.path);
}
