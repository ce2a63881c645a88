import type { Interpreter } from '../interpreter';
import { isPast, openDeadline } from '../scheduling/deadline';
import { cancelFrames, retireFrame } from '../scheduling/frames';
import { type ChildWork, type Frame, type Place, placeLabel } from '../scheduling/place';
import { type BranchLog, type EntryEnd, type EntryOf, partsIn } from './attempt-log';
import type { OpenScope } from './open-scope';
import { endOfPart, openPart } from './parts';
import { failureOfEntry, failureRecord } from './scope-log';
import type { AllEnd, AllOptions, Branches, Ended, Part, PartCall, StepContext } from './step-context';

export function runAll(within: OpenScope, key: string, branches: Branches, how: AllOptions = {}): Promise<AllEnd> {
  const { it, enter, known, marked } = within;
  const { timeoutMs } = how;
  const due = timeoutMs === undefined ? {} : { dueMs: it.run.ctx.now() + timeoutMs };
  const entry = enter<'all'>({ kind: 'all', key, ...due, branches: {} });
  return (
    known<AllEnd>(entry) ??
    marked(entry, sideBySide(within, entry, branches, how), (value) => {
      entry.end = { value };
      entry.parts = partsIn([entry]);
      entry.branches = {};
    })
  );
}

/** A branch in progress in this execution. */
interface Underway {
  /** Cancels the calls, and returns the blocks that end with them. */
  cancel(): Frame[];
  /** It is still replaying its log, which says nothing of the branch's end. */
  behind: boolean;
  /** A person has answered, and the part is about to end with that. An answer to an agent's question leaves the agent at work. */
  isAnswered?(): boolean;
}

const CALLED_OFF = 'enough of the others had ended, or the step timed out';
const ENDED: Underway = { behind: false, cancel: () => [] };

async function sideBySide(within: OpenScope, entry: EntryOf<'all'>, branches: Branches, how: AllOptions): Promise<AllEnd> {
  const { it, place } = within;
  const { run } = it;
  how.opened?.(endedIn(entry));
  if (!entry.over) {
    const sleeper = `all:${placeLabel(place)}:${entry.key}`;
    const open = openBranches(within, entry, branches, how, () => run.wake(sleeper));
    // The log is replayed first, and then the clock is checked: what had ended in time did not time out.
    const isBehind = () => open.some((one) => one.behind || one.isAnswered?.());
    const isOver = () => !isBehind() && isEnough(entry, how.enough);
    const isLate = () => isPast(run, entry.dueMs) && !isBehind();
    const deadline = openDeadline(run, placeLabel(place), sleeper, 'many');
    try {
      while (!isOver() && !(isLate() && !extended(within, entry, how))) await deadline.wait(isBehind() ? undefined : entry.dueMs);
    } finally {
      deadline.close();
    }
    entry.over = isOver() ? 'enough' : 'late';
    cancelFrames(
      it,
      open.flatMap((one) => one.cancel()),
      CALLED_OFF,
    );
  }
  const asked = it.cancelledWork.pendingWithin(place.path);
  if (asked) await run.parked(asked);
  return endOf(within, entry, entry.over === 'late', how);
}

function openBranches(within: OpenScope, entry: EntryOf<'all'>, branches: Branches, how: AllOptions, wake: () => void): Underway[] {
  return Object.entries(branches).map(([name, what]) => {
    const branch = entry.branches[name] ?? { scope: [] };
    entry.branches[name] = branch;
    if (branch.end) return ENDED;
    const ends = (end: EntryEnd): void => {
      branch.end = end;
      how.ended?.(name, end);
      wake();
    };
    return typeof what === 'function'
      ? openCode(within, `${entry.key}-${name}`, branch, what, { ends, wake })
      : openPartBranch(within, branch, what, ends);
  });
}

function endedIn({ branches }: EntryOf<'all'>): Ended {
  return Object.fromEntries(Object.entries(branches).flatMap(([name, { end }]) => (end ? [[name, end]] : [])));
}

function isEnough(entry: EntryOf<'all'>, enough: AllOptions['enough']): boolean {
  const branches = Object.values(entry.branches);
  if (branches.every(({ end }) => end)) return true;
  if (typeof enough === 'function') return enough(endedIn(entry));
  return enough !== undefined && branches.filter(({ end }) => end && !end.failure).length >= enough;
}

/** Its time has run out: decides once whether it gets more. */
function extended({ it }: OpenScope, entry: EntryOf<'all'>, { extend }: AllOptions): boolean {
  if (!extend || entry.extended) return false;
  entry.extended = true;
  const ms = extend(endedIn(entry));
  if (ms === undefined) return false;
  entry.dueMs = it.run.ctx.now() + ms;
  return true;
}

function openPartBranch(
  { it, place }: OpenScope,
  branch: BranchLog,
  { part, ...call }: PartCall & { part: Part },
  ends: (end: EntryEnd) => void,
): Underway {
  let opened: Frame | undefined;
  let settled = false;
  const end = (frame: Frame): void => {
    ends(endOfPart(it, pathOf(frame)));
    retireFrame(it, frame);
  };
  const frame = openPart(it, place, part, call, () => {
    settled = true;
    if (opened) end(opened);
  });
  opened = frame;
  branch.path = pathOf(frame);
  if (settled) end(frame);
  return {
    behind: false,
    isAnswered: () => !branch.end && it.kinds.isAnswered(part, it.run.record(pathOf(frame))),
    cancel: () => (branch.end ? [] : [frame]),
  };
}

function pathOf({ places: [place] }: Frame): string {
  return place?.path ?? '';
}

function openCode(
  { it, place, open }: OpenScope,
  id: string,
  branch: BranchLog,
  work: (ctx: StepContext) => Promise<unknown>,
  { ends, wake }: { ends: (end: EntryEnd) => void; wake: () => void },
): Underway {
  const { run } = it;
  const outer = place.child;
  const child: ChildWork = outer ? { id: `${outer.id}/${id}`, over: false, within: outer } : { id, over: false };
  const at: Place = { ...place, child };
  const underway: Underway = {
    behind: branch.scope.length > 0,
    cancel() {
      if (branch.end) return [];
      child.over = true;
      run.interrupt(placeLabel(at), 'itself');
      run.background(() => run.ctx.cancelActivities(placeLabel(at), 'itself'));
      return framesOf(it, place, branch);
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
      ends({ value });
    } catch (error) {
      const failure = failureRecord(error);
      // A cancelled part has not failed.
      if (!child.over) ends({ failure });
    } finally {
      underway.behind = false;
      wake();
    }
  });
  return underway;
}

/** The frames of parts that code has begun and that have not ended. */
function framesOf(it: Interpreter, { path: container }: Place, { scope }: BranchLog): Frame[] {
  const parts = new Set(partsIn(scope));
  return [...it.frames.keys()].filter(
    ({ kind, container: around, places: [first] }) => kind === 'parts' && around?.path === container && first && parts.has(first.path),
  );
}

/** Results of cancelled parts in the ledger belong to them, although they had not reported in time. */
function endOf({ it }: OpenScope, entry: EntryOf<'all'>, timedOut: boolean, { ended }: AllOptions): AllEnd {
  const found: AllEnd = { ended: {}, failed: {}, missing: [], timedOut };
  for (const [name, branch] of Object.entries(entry.branches)) {
    const { path } = branch;
    if (!branch.end && path !== undefined && it.run.record(path).state === 'done') {
      branch.end = endOfPart(it, path);
      ended?.(name, branch.end);
    }
    const { end } = branch;
    if (end?.failure?.code === 'step.program-changed') throw failureOfEntry(end.failure);
    if (end?.failure) found.failed[name] = end.failure;
    else if (end) found.ended[name] = end.value;
    else found.missing.push(name);
  }
  return found;
}
