import { firstReady, itemsInTurn } from '../../plan/patterns/item-order';
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
  /** `stream.done`, to look up in. */
  done: Set<string>;
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
export function nextItem({ producer, done, loop: { stream, live } }: StreamTurn): number | undefined {
  const { waiting, linear } = stream;
  if (linear) return live.length === 0 ? waiting[0] : undefined;
  if (!isOrdered(producer)) return waiting[0];
  return firstReady(itemsInTurn(waiting.map(itemAt(stream)), done), live.map(itemAt(stream)))?.index;
}

/** How many waiting items could begin but for the limit at once. Only these hold the producer back. */
export function countInTurn({ producer, done, loop: { stream } }: StreamTurn): number {
  const { waiting, linear } = stream;
  return linear || !producer.step.emits?.depends ? waiting.length : itemsInTurn(waiting.map(itemAt(stream)), done).length;
}

function isOrdered({ step: { emits } }: Place): boolean {
  return emits?.depends !== undefined || emits?.files !== undefined;
}

const itemAt = (stream: StreamRecord) => (index: number) => ({ ...(stream.items[index] ?? { key: null }), index });

/** Records that an item is done, so that its dependents may begin. */
export function noteDone({ producer, done, loop: { stream } }: StreamTurn, index: number): void {
  const item = stream.items[index];
  if (!item || !producer.step.emits?.depends) return;
  const key = canonicalJson(item.key);
  stream.done ??= [];
  stream.done.push(key);
  done.add(key);
}
