import { readyItems } from '../../plan/patterns/item-order';
import { DEFAULT_ITEM_POLICY, type ItemPolicy } from '../../plan/steps/stream';
import { canonicalJson } from '../../plan/text/json';
import type { LoopRecord, StreamRecord } from '../../workflows/interpreter/containers/container-record';
import type { FailureRecord } from '../../workflows/interpreter/context/attempt-log';
import type { Frame, Place, PlaceOf } from '../../workflows/interpreter/scheduling/place';

export type LoopPlace = PlaceOf<'for_each'>;

/** Iterations that have failed in this try, where one that fails stops the loop. */
export interface FailedItems {
  items: number[];
  failure?: FailureRecord;
}

/** A loop over a stream in this execution. */
export interface StreamTurn {
  producer: Place;
  loop: LoopRecord & { stream: StreamRecord };
  policy: ItemPolicy;
  frames: Set<Frame>;
  /** How many have ended. */
  ended: number;
  /** Something may have been emitted. */
  news: boolean;
  deadlineMs: number | undefined;
  failed: FailedItems;
}

export function policyOf({ step }: LoopPlace): ItemPolicy {
  return step.policy ?? { ...DEFAULT_ITEM_POLICY, fixes: 0, onFailed: 'stop' };
}

/** Which of the waiting items may begin next, and how many wait for nothing but their turn: only these hold the producer back. */
export function nextItem({ loop: { stream, live } }: StreamTurn): { index: number | undefined; inTurn: number } {
  const { waiting, items, done = [], linear } = stream;
  if (linear) return { index: live.length === 0 ? waiting[0] : undefined, inTurn: waiting.length };
  const at = (index: number) => ({ ...(items[index] ?? { key: null }), index });
  const { ready, inTurn } = readyItems(waiting.map(at), live.map(at), new Set(done));
  return { index: ready[0]?.index, inTurn };
}

/** An item is done: what depends on it may begin. */
export function noteDone({ producer, loop: { stream } }: StreamTurn, index: number): void {
  const item = stream.items[index];
  if (item && producer.step.emits?.depends) stream.done = [...(stream.done ?? []), canonicalJson(item.key)];
}
