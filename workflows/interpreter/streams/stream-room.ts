import { isSettled } from '../../../plan/run/step-state';
import { streamName } from '../../../plan/steps/stream';
import type { StreamRecord } from '../containers/container-record';
import type { StepContext } from '../context/step-context';
import type { Interpreter } from '../interpreter';
import type { Run } from '../run';
import { isSuperseded, type Place, placeAddress, stepIdAt } from '../scheduling/place';
import { loopStateOf } from '../state/kind-state';
import { SHORT_ACTIVITY_MS } from '../steps/activity-timeouts';

/**
 * How producer and loop of a stream wake each other: the loop wakes when its producer has emitted an item or has ended, and a producer that
 * is held back wakes when its loop has taken up enough items, or has ended. So neither waits for ever.
 */

/** The wake key of a loop, named after its producer. */
export function streamSleeper(producer: string): string {
  return `stream:${producer}`;
}

export function roomSleeper(producer: string): string {
  return `room:${producer}`;
}

/** Tells a loop that its producer has ended, and a producer that its loop has, or had when the producer began again. */
export function noteStreams({ run }: Interpreter, changed: readonly Place[]): void {
  for (const place of changed) {
    const { step, path, frame } = place;
    if (step.emits) run.wake(streamSleeper(path));
    if ('stream' in step && step.stream !== undefined) {
      const producer = frame.places.find(({ step: { id } }) => id === step.stream);
      if (producer) leaveIfUnread(run, producer);
    } else if (step.emits) leaveIfUnread(run, place);
  }
}

/** In an earlier execution, or in another try of an enclosing step, the loop may have ended just before this could be noted. */
export function resumeStreams({ run }: Interpreter, places: readonly Place[]): void {
  for (const place of places) if (place.step.emits) leaveIfUnread(run, place);
}

/** If a loop is over and takes no more items, nothing may hold its producer back. */
function leaveIfUnread(run: Run, producer: Place): void {
  const { records } = run.state;
  const loop = records[readerOf(producer)?.path ?? ''];
  if (!loop || !isSettled(loop.state)) return;
  const { state = 'pending', unread } = records[producer.path] ?? {};
  if (!isSettled(state) && !unread) leaveUnread(run, producer);
}

function leaveUnread(run: Run, producer: Place): void {
  run.background(async () => {
    const stream = streamOf(run, producer);
    const nothing = { after: MANY, lines: MANY, taken: MANY };
    await run.ctx.activity('emitted', { run: run.ctx.info.firstRunId, stream, ...nothing }, LOOK);
    if (streamOf(run, producer) !== stream) return;
    run.record(producer.path).unread = true;
    run.wake(roomSleeper(producer.path));
  });
}

/**
 * An execution closes only after all work in it has ended, which a held-back command never does. A loop releases its own producer; one that
 * has failed and waits for what follows, or whose items may begin no more steps, releases none.
 */
export function letProducersGo(run: Run): void {
  for (const [path, { state }] of run.index.live(run.state.records)) {
    const step = run.steps.get(stepIdAt(path))?.step;
    if (!step?.emits || 'agent' in step || isSettled(state)) continue;
    const nothing = { after: MANY, lines: MANY, taken: 0, unbounded: true as const };
    const input = { run: run.ctx.info.firstRunId, stream: streamAt(run, path), ...nothing };
    run.background(async () => void (await run.ctx.activity('emitted', input, LOOK)));
  }
}

const MANY = Number.MAX_SAFE_INTEGER;
export const LOOK = { local: true, kept: true, startToCloseMs: SHORT_ACTIVITY_MS } as const;

/** The stream of a producer's current round. */
export function streamOf(run: Run, { path }: Place): string {
  return streamAt(run, path);
}

export function streamAt(run: Run, path: string): string {
  return streamName(placeAddress(path, run.record(path)));
}

const emitting = new WeakMap<Run, Map<string, number>>();

/** How many items from outside are being recorded, by the path of the producer: its stream stays open for them. */
export function outsideEmits(run: Run): Map<string, number> {
  const known = emitting.get(run) ?? new Map<string, number>();
  emitting.set(run, known);
  return known;
}

/** A producer's call has paused because as many items wait as may. */
export function holdBack(run: Run, producer: Place): void {
  const stream = streamRead(run, producer);
  if (stream) stream.full = true;
  run.wake(streamSleeper(producer.path));
}

/** Waits until a producer that is held back may continue. Meanwhile its slot is free for the items. */
export async function untilRoom(it: Interpreter, producer: Place, ctx: StepContext): Promise<void> {
  const { run } = it;
  const hasRoom = (): true | undefined => (isSuperseded(producer) || mayGoOn(run, producer) ? true : undefined);
  it.rest(producer);
  await ctx.awaited('room', { sleeper: roomSleeper(producer.path) }, hasRoom);
  it.resume(producer);
}

function mayGoOn(run: Run, producer: Place): boolean {
  const loop = readerOf(producer);
  const record = loop && run.state.records[loop.path];
  if (!loop || run.record(producer.path).unread) return true;
  const stream = loopStateOf(record)?.stream;
  return stream !== undefined && stream.full === undefined;
}

function streamRead(run: Run, producer: Place): StreamRecord | undefined {
  const loop = readerOf(producer);
  return loop && loopStateOf(run.state.records[loop.path])?.stream;
}

/** The loop that takes up a producer's items. */
export function readerOf({ step, frame }: Place): Place | undefined {
  return frame.places.find((place) => 'stream' in place.step && place.step.stream === step.id);
}
