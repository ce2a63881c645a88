import { ASK_AGAIN } from '../../plan/run/contract';
import { WorkerTooOld } from '../../plan/run/worker-version';
import { type Deferred, deferred } from '../interpreter/scheduling/deferred';
import type { QueueInbound } from './queue-context';

/**
 * What a queue answers while its state comes from the store. What comes in waits, in its order, and is refused then where it would have been refused at
 * once; who looks is asked to look again.
 */
export function doorOf(): { inbound: QueueInbound; open(queue: QueueInbound): void; stayShut(why: string): WorkerTooOld } {
  const ready: Deferred<QueueInbound> = deferred();
  let inside: QueueInbound | undefined;
  let shut: WorkerTooOld | undefined;
  const inbound: QueueInbound = {
    checkSubmit: (payload) => inside?.checkSubmit(payload),
    submit(payload) {
      if (inside) return inside.submit(payload);
      return ready.promise.then((queue) => {
        queue.checkSubmit(payload);
        return queue.submit(payload);
      });
    },
    checkOrder: (order, payload) => inside?.checkOrder(order, payload),
    order(order, payload) {
      if (inside) return inside.order(order, payload);
      return ready.promise.then((queue) => {
        queue.checkOrder(order, payload);
        return queue.order(order, payload);
      });
    },
    view() {
      if (!inside) throw shut ?? new Error(ASK_AGAIN);
      return inside.view();
    },
  };
  return {
    inbound,
    open(queue) {
      inside = queue;
      ready.resolve(queue);
    },
    /** What comes in waits for a later worker. */
    stayShut(why) {
      shut = new WorkerTooOld(why);
      return shut;
    },
  };
}
