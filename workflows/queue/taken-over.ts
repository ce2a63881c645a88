import { ASK_AGAIN } from '../../plan/run/contract';
import { WorkerTooOld } from '../../plan/run/worker-version';
import { type Deferred, deferred } from '../interpreter/scheduling/deferred';
import type { QueueInbound } from './queue-context';

/**
 * The answers of a queue while its state comes from the store. Messages wait in order, and are refused afterwards if they would have been
 * refused at once; queries get a request to ask again.
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
    /** Messages wait for a newer worker. */
    stayShut(why) {
      shut = new WorkerTooOld(why);
      return shut;
    },
  };
}
