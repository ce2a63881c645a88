import { createItemQueue, firstReady, type ItemQueue, type OrderedItem } from '../../plan/patterns/item-order';
import { DEFAULT_ITEM_POLICY, type ItemPolicy } from '../../plan/steps/stream';
import { canonicalJson } from '../../plan/text/json';
import type { LoopRecord, StreamRecord } from '../../workflows/interpreter/containers/container-record';
import type { FailureRecord } from '../../workflows/interpreter/context/attempt-log';
import type { Frame, Place, PlaceOf } from '../../workflows/interpreter/scheduling/place';

export type LoopPlace = PlaceOf<'for_each'>;

/** Iterations that have failed in this try. Used when a failed item stops the loop. */
export interface FailedItems {
  items: number[];
  failure?: FailureRecord;
}

/** A loop over a stream in this execution. */
export interface StreamTurn {
  producer: Place;
  loop: LoopRecord & { stream: StreamRecord };
  policy: ItemPolicy;
  /** The items of `stream.waiting`. */
  queue: ItemQueue;
  frames: Set<Frame>;
  /** How many have ended. */
  ended: number;
  /** There may be new items. */
  news: boolean;
  deadlineMs: number | undefined;
  /** The producer is no longer held back, because the execution closes. */
  letGo?: true;
  failed: FailedItems;
}

export function policyOf({ step }: LoopPlace): ItemPolicy {
  return step.policy ?? { ...DEFAULT_ITEM_POLICY, fixes: 0, onFailed: 'stop' };
}

/** The waiting item that may begin next; undefined if there is none. */
export function nextItem({ producer, queue: { inTurn }, loop: { stream, live } }: StreamTurn): number | undefined {
  if (stream.linear) return live.length === 0 ? stream.waiting[0] : undefined;
  if (!producer.step.emits?.files) return inTurn[0];
  return firstReady(inTurn.map(itemAt(stream)), live.map(itemAt(stream)))?.index;
}

/** How many waiting items could begin but for the limit at once. Only these hold the producer back. */
export function countInTurn({ queue: { inTurn }, loop: { stream } }: StreamTurn): number {
  return stream.linear ? stream.waiting.length : inTurn.length;
}

/** The items that wait, as another execution or another try finds them. */
export function queueOf(producer: Place, { items, waiting, done = [] }: StreamRecord): ItemQueue {
  const queue = createItemQueue(done);
  for (const index of waiting) enqueue({ producer, queue }, index, items[index] ?? { key: null });
  return queue;
}

/** In a rerun an item may still name others, although the file no longer says `depends`. */
export function enqueue({ producer, queue }: Pick<StreamTurn, 'producer' | 'queue'>, index: number, item: OrderedItem): void {
  queue.add(index, producer.step.emits?.depends ? item : { key: item.key });
}

const itemAt = (stream: StreamRecord) => (index: number) => ({ ...(stream.items[index] ?? { key: null }), index });

/** Records that an item is done, so that its dependents may begin. */
export function noteDone({ producer, queue, loop: { stream } }: StreamTurn, index: number): void {
  const item = stream.items[index];
  if (!item || !producer.step.emits?.depends) return;
  const key = canonicalJson(item.key);
  stream.done ??= [];
  stream.done.push(key);
  queue.noteDone(key);
}
