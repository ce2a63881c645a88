import { defined } from '../../plan/defined';
import { bug, ThermidorFailure } from '../../plan/run/failure';
import { listenAt } from '../../workflows/interpreter/agents/spawned-agents';
import { composeOutput } from '../../workflows/interpreter/containers/compose';
import { supersedeInnerSteps } from '../../workflows/interpreter/containers/inner-steps';
import { composeLoopParts } from '../../workflows/interpreter/containers/loop';
import { deadlineOf } from '../../workflows/interpreter/containers/run-block';
import { failureOfEntry } from '../../workflows/interpreter/context/scope-log';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import { journalFeedback } from '../../workflows/interpreter/patterns/journal-feedback';
import { ADMISSION } from '../../workflows/interpreter/run';
import { type Deadline, isPast, openDeadline } from '../../workflows/interpreter/scheduling/deadline';
import { cancelFrame } from '../../workflows/interpreter/scheduling/frames';
import { isSuperseded, type Place } from '../../workflows/interpreter/scheduling/place';
import { clearUnread } from '../../workflows/interpreter/state/forget';
import { openKindState } from '../../workflows/interpreter/state/kind-state';
import { noteOutput, type StepRecord } from '../../workflows/interpreter/state/step-record';
import { LOOK, roomSleeper, streamOf, streamSleeper } from '../../workflows/interpreter/streams/stream-room';
import { Cancelled } from '../../workflows/run-context';
import { boundOf, hasEnded, hasRoom, holdsUpDrain, isFull, rest } from './held-producer';
import { leaveOut, startItem } from './stream-item';
import { countInTurn, enqueue, type FailedItems, type LoopPlace, nextItem, policyOf, queueOf, type StreamTurn } from './stream-turn';

/**
 * Runs a block for each item that another step emits, as soon as it is emitted (docs/patterns.md, CP-11).
 *
 * Invariants: 1. an item is in the store before the loop knows it, and the loop takes it once, in the order of recording; 2. items begin in
 * that order, at most `maxConcurrent` at once, except those that wait for others (`plan/patterns/item-order.ts`); 3. the list ends when the
 * producer ends, in any way; 4. known, waiting and done items are in state, so another execution, or another try, continues from there.
 */
export async function performStream(it: Interpreter, place: LoopPlace, record: StepRecord, ctx: StepContext): Promise<undefined> {
  const { run } = it;
  const producer = requireProducer(place);
  const loop = openLoop(it, place, record, producer);
  const failed = ctx.once('failed', (): FailedItems => ({ items: [] }));
  const turn: StreamTurn = {
    ...{ producer, loop, policy: policyOf(place), queue: queueOf(producer, loop.stream), frames: new Set(), ended: 0, news: true, failed },
    deadlineMs: deadlineOf(it, place.step, ctx),
  };
  const ignore = listenAt(run, loop.stream.name, () => {
    turn.news = true;
    run.wake(streamSleeper(producer.path));
  });
  if (loop.stream.full) rest(it, producer);
  const deadline = openDeadline(run, place.path, streamSleeper(producer.path), 'many');
  try {
    for (const index of loop.live) if (!failed.items.includes(index)) startItem(it, place, index, turn);
    while (!isDone(turn)) await goOn(it, place, turn, deadline);
  } finally {
    ignore();
    deadline.close();
  }
  if (failed.failure) throw failureOfEntry(failed.failure);
  await composeLoopParts(it, place, loop, 'rest');
  delete loop.values;
  await composeOutput(it, place, { kind: 'parts', parts: loop.parts });
  return undefined;
}

function requireProducer({ step, frame }: LoopPlace): Place {
  const producer = frame.places.find(({ step: { id } }) => id === step.stream);
  if (!producer) throw bug(`step "${step.id}" goes over the stream of a step that is not in its block`);
  return producer;
}

function openLoop(it: Interpreter, place: LoopPlace, record: StepRecord, producer: Place): StreamTurn['loop'] {
  const { run } = it;
  const kept = openKindState(record, place.step.kind);
  const name = streamOf(run, producer);
  if (kept.loop?.stream && kept.loop.stream.name !== name) {
    // The producer has begun another round in this try of an enclosing step: its items are different.
    record.within = { ...record.within, ...defined({ base: supersedeInnerSteps(it, place) }) };
    delete kept.loop;
    run.journal.add({ kind: 'step', step: run.name(place.path), state: 'running', reason: OTHER_ITEMS });
  }
  const stream = kept.loop?.stream ?? { name, lines: 0, items: {}, waiting: [] };
  // Clears a look of an earlier try that failed.
  delete stream.looksSinceMs;
  const loop = kept.loop ?? { total: 0, next: 0, live: [], done: {}, parts: [], unparted: 0 };
  const opened = Object.assign(loop, { stream });
  kept.loop = opened;
  clearUnread(run.record(producer.path));
  return opened;
}

/** Finished items of the loop no longer count. */
export const OTHER_ITEMS = 'its producer has begun another round: the loop begins again with its items';

function isDone({ loop: { stream }, frames, failed }: StreamTurn): boolean {
  if (frames.size > 0) return false;
  return failed.failure !== undefined || (stream.over === true && stream.waiting.length === 0);
}

/** Takes up new items, begins those that may begin, and waits for the next event. */
async function goOn(it: Interpreter, place: LoopPlace, turn: StreamTurn, deadline: Deadline): Promise<void> {
  const { run } = it;
  const { loop, frames, ended } = turn;
  // A loop that was sent back while it slept must not begin items of the next round.
  if (isSuperseded(place)) throw new Cancelled();
  if (!loop.stream.over && (turn.news || hasEnded(it, turn))) await look(it, place, turn);
  await startMore(it, place, turn);
  if (isBlocked(turn)) return unblock(it, place, turn);
  // Making room looked again: what it found may begin.
  if (await makeRoom(it, place, turn)) return;
  if (isDone(turn)) return;
  // News that comes after the end of the list changes nothing.
  const isCalled = () => turn.ended > ended || hasRoom(turn) || (!loop.stream.over && (turn.news || hasEnded(it, turn)));
  while (!isCalled() && !isPast(run, turn.deadlineMs)) await deadline.wait(turn.deadlineMs);
  if (!isCalled()) {
    for (const frame of frames) cancelFrame(it, frame, 'the time of the loop ran out');
    throw new ThermidorFailure(
      'step.timeout',
      `${run.name(place.path)} did not end within its time, at item ${loop.next} of ${loop.total}`,
    );
  }
  await composeLoopParts(it, place, loop);
}

/** Brings new items into state; at the end it stores all of them as a list. */
async function look(it: Interpreter, place: LoopPlace, turn: StreamTurn): Promise<void> {
  const { run } = it;
  const { loop, producer } = turn;
  const { stream } = loop;
  const isLast = hasEnded(it, turn);
  const taken = loop.total - countInTurn(turn);
  // A loop that has stopped draining holds its producer back again.
  if (!run.draining) delete turn.letGo;
  const isLetGo = turn.letGo === true || holdsUpDrain(it, turn);
  if (isLetGo) turn.letGo = true;
  turn.news = false;
  const { carried, output } = run.record(producer.path);
  const input = {
    ...{
      run: run.ctx.info.firstRunId,
      stream: stream.name,
      after: loop.total,
      lines: stream.lines,
      taken,
    },
    ...defined({ unbounded: isLetGo || undefined, bound: boundOf(turn), paths: place.step.itemReads, loop: place.step.id }),
    ...(carried && output?.emitted ? { carried: output.emitted } : isLast ? { close: { step: producer.step.id } } : {}),
  };
  stream.looksSinceMs = run.ctx.now();
  const { items, again, lines, more, list, taken: noted = taken } = await run.ctx.activity('emitted', input, LOOK);
  delete stream.looksSinceMs;
  if (isSuperseded(place) || (run.ending && run.ending.kind !== 'continue')) throw new Cancelled();
  for (const { values, ...item } of items) {
    const index = loop.total;
    stream.items[index] = item;
    stream.waiting.push(index);
    enqueue(turn, index, item);
    if (values) loop.values = { ...loop.values, [index]: values };
    loop.total += 1;
  }
  stream.lines = lines;
  stream.taken = Math.max(stream.taken ?? 0, noted);
  for (const { key, by } of again) {
    const refused = 'an item with this key was emitted before';
    journalFeedback(it, place, { type: 'item', data: { key }, from: by ?? producer.step.id, refused });
  }
  if (more) turn.news = true;
  else if (isLast) {
    stream.over = true;
    // The producer ended while it was held back, so it needs no room.
    delete stream.full;
  }
  if (list) noteOutput(run.record(producer.path), { emitted: list });
  it.changed();
}

async function startMore(it: Interpreter, place: LoopPlace, turn: StreamTurn): Promise<void> {
  const { run } = it;
  const { loop, frames, failed } = turn;
  while (!failed.failure && frames.size < (place.step.maxConcurrent ?? 1)) {
    const index = nextItem(turn);
    if (index === undefined) return;
    run.drainIfDue();
    if (run.halted) {
      if (frames.size > 0 || holdsUpDrain(it, turn)) return;
      await run.sleepUntilWoken(ADMISSION);
      if (isSuperseded(place)) throw new Cancelled();
      continue;
    }
    loop.stream.waiting = loop.stream.waiting.filter((other) => other !== index);
    turn.queue.take(index);
    loop.next += 1;
    loop.live.push(index);
    startItem(it, place, index, turn);
  }
}

/** Holds the producer back or releases it, after noting in the ledger what the producer reads. Returns whether it looked for new items. */
async function makeRoom(it: Interpreter, place: LoopPlace, turn: StreamTurn): Promise<boolean> {
  const { run } = it;
  const { producer, loop } = turn;
  const { stream } = loop;
  if (!producer.step.emits || stream.over) return false;
  if (!stream.full && isFull(turn)) {
    stream.full = true;
    rest(it, producer);
  }
  // A producer that was held back before the loop began checks again.
  if (!stream.full) run.wake(roomSleeper(producer.path));
  if (!hasRoom(turn) && !holdsUpDrain(it, turn)) return false;
  await look(it, place, turn);
  // It found so much that the producer stays held back.
  if (boundOf(turn) && isFull(turn)) return true;
  delete stream.full;
  if (!('agent' in producer.step) && !hasEnded(it, turn)) it.resume(producer);
  run.wake(roomSleeper(producer.path));
  return true;
}

/** Nothing is running, the list is complete, and every remaining item depends on one that is not done. */
function isBlocked(turn: StreamTurn): boolean {
  const { loop, frames, failed } = turn;
  const isLeft = loop.stream.over === true && loop.stream.waiting.length > 0 && frames.size === 0 && !failed.failure;
  return isLeft && nextItem(turn) === undefined;
}

const BLOCKED_SHOWN = 20;

/** Runs the remaining items one by one as in CP-1, leaves them out, or fails the loop. */
function unblock(it: Interpreter, place: LoopPlace, turn: StreamTurn): void {
  const { stream } = turn.loop;
  const { onAllBlocked } = turn.policy;
  const keys = stream.waiting.map((index) => stream.items[index]?.key ?? null);
  journalFeedback(it, place, { type: 'item', data: { all_blocked: keys.slice(0, BLOCKED_SHOWN), follows: onAllBlocked } });
  const message = 'it depends on items that are not done';
  if (onAllBlocked === 'linear') stream.linear = true;
  else if (onAllBlocked === 'skip') leaveOut(turn, 'stream.all-blocked', message);
  else
    throw new ThermidorFailure(
      'stream.all-blocked',
      `${keys.length} items of ${it.run.name(place.path)} depend on items that are not done`,
      {
        keys: keys.slice(0, BLOCKED_SHOWN),
      },
    );
}
