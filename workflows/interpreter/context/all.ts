import { cancelFrame, retireFrame } from '../scheduling/frames';
import { type Frame, type Place, placeLabel } from '../scheduling/place';
import { type BranchLog, type EntryOf, partsIn } from './attempt-log';
import type { OpenScope } from './open-scope';
import { endOfPart, openPart } from './parts';
import { failureOfEntry, failureRecord } from './scope-log';
import type { AllEnd, AllOptions, Branches, Part, PartCall, StepContext } from './step-context';

export function runAll(within: OpenScope, key: string, branches: Branches, { timeoutMs, enough }: AllOptions = {}): Promise<AllEnd> {
  const { it, enter, known, marked } = within;
  const due = timeoutMs === undefined ? {} : { dueMs: it.run.ctx.now() + timeoutMs };
  const entry = enter<'all'>({ kind: 'all', key, ...due, branches: {} });
  return (
    known<AllEnd>(entry) ??
    marked(entry, sideBySide(within, entry, branches, enough), (value) => {
      entry.end = { value };
      entry.parts = partsIn([entry]);
      entry.branches = {};
    })
  );
}

/** A branch in progress in this execution. */
interface Underway {
  cancel(): void;
  /** What its log has is done again, so to speak: it says nothing of the branch's end. */
  behind: boolean;
}

async function sideBySide(within: OpenScope, entry: EntryOf<'all'>, branches: Branches, enough: number | undefined): Promise<AllEnd> {
  const { it, place } = within;
  const { run } = it;
  const sleeper = `all:${placeLabel(place)}:${entry.key}`;
  const wake = () => run.wake(sleeper);
  const open = Object.entries(branches).map(([name, what]) => {
    const branch = entry.branches[name] ?? { scope: [] };
    entry.branches[name] = branch;
    if (branch.end) return { behind: false, cancel: () => undefined };
    return typeof what === 'function' ? openCode(within, entry.key, name, branch, what, wake) : openPartBranch(within, branch, what, wake);
  });
  const all = () => Object.values(entry.branches);
  // What the log has comes first, and then the clock is looked at: what had ended in time has not run out of it.
  const isOver = () => open.every(({ behind }) => !behind) && isEnough(all(), enough);
  const isLate = () => entry.dueMs !== undefined && run.ctx.now() >= entry.dueMs && open.every(({ behind }) => !behind);
  while (!isOver() && !isLate()) {
    if (entry.dueMs === undefined || open.some(({ behind }) => behind)) await run.sleepUntilWoken(sleeper, placeLabel(place));
    else await run.until(entry.dueMs, placeLabel(place), sleeper);
  }
  const timedOut = !isOver();
  for (const one of open) one.cancel();
  const asked = it.cancelledWork.pendingWithin(place.path);
  if (asked) await run.parked(asked);
  return endOf(within, entry, timedOut);
}

function isEnough(branches: readonly BranchLog[], enough: number | undefined): boolean {
  const succeeded = branches.filter(({ end }) => end && !end.failure).length;
  return branches.every(({ end }) => end) || (enough !== undefined && succeeded >= enough);
}

function openPartBranch(
  { it, place }: OpenScope,
  branch: BranchLog,
  { part, ...call }: PartCall & { part: Part },
  wake: () => void,
): Underway {
  let frame: Frame | undefined;
  let settled = false;
  const opened = openPart(it, place, part, call, () => {
    settled = true;
    const [{ path = '' } = {}] = frame?.places ?? [];
    branch.end ??= endOfPart(it, path || (branch.path ?? ''));
    if (frame) retireFrame(it, frame);
    wake();
  });
  frame = opened;
  const [{ path = '' } = {}] = opened.places;
  branch.path = path;
  if (settled) {
    branch.end ??= endOfPart(it, path);
    retireFrame(it, opened);
  }
  return {
    behind: false,
    cancel() {
      if (!branch.end) cancelFrame(it, opened, 'enough of the others had ended, or the step timed out');
    },
  };
}

function openCode(
  { it, place, open }: OpenScope,
  key: string,
  name: string,
  branch: BranchLog,
  work: (ctx: StepContext) => Promise<unknown>,
  wake: () => void,
): Underway {
  const { run } = it;
  const at: Place = { ...place, child: { id: `${key}-${name}`, over: false } };
  const underway: Underway = {
    behind: branch.scope.length > 0,
    cancel() {
      if (branch.end || !at.child) return;
      at.child.over = true;
      run.interrupt(placeLabel(at), 'itself');
      run.background(() => run.ctx.cancelActivities(placeLabel(at), 'itself'));
    },
  };
  const caughtUp = (): void => {
    if (!underway.behind) return;
    underway.behind = false;
    wake();
  };
  const ctx = open(at, branch.scope, caughtUp);
  run.spawn(async () => {
    try {
      const value = await work(ctx);
      ctx.close();
      branch.end = { value };
    } catch (error) {
      branch.end = { failure: failureRecord(error) };
    } finally {
      underway.behind = false;
      wake();
    }
  });
  return underway;
}

/** What the ledger has of parts that were cancelled is theirs, although they had not said so in time. */
function endOf({ it }: OpenScope, { branches }: EntryOf<'all'>, timedOut: boolean): AllEnd {
  const found: AllEnd = { ended: {}, failed: {}, missing: [], timedOut };
  for (const [name, { end, path }] of Object.entries(branches)) {
    const late = !end && path !== undefined && it.run.record(path).state === 'done' ? endOfPart(it, path) : undefined;
    if (end?.failure?.code === 'step.program-changed') throw failureOfEntry(end.failure);
    if (end?.failure) found.failed[name] = end.failure;
    else if (end) found.ended[name] = end.value;
    else if (late && 'value' in late) found.ended[name] = late.value;
    else found.missing.push(name);
  }
  return found;
}
