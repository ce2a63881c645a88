import { defined } from '../../plan/defined';
import type { Keeps } from '../../plan/steps/keeps';
import { type Delivery, progressOf } from './rules/delivery';
import { backToTurn } from './rules/delivery-again';
import type { DeliveryView } from './rules/words';

export interface IncrementsKept {
  /** The last turn that was begun. */
  turn?: number;
  /** Its worktree. */
  slot?: string;
  /** The plan that is delivered, by digest. */
  plan?: string;
  delivery?: Delivery;
  /** The step has ended with it: if it runs again, it begins with what was lost. */
  isOver?: true;
}

export const INCREMENTS_KEEPS: Keeps<IncrementsKept, DeliveryView> = {
  lastTurn: ({ turn }) => turn,
  shown: ({ delivery }) => delivery && deliveryView(delivery),
  before(kept, turn) {
    if (!kept.delivery) return kept;
    const { isOver: _over, ...rest } = kept;
    const delivery = copyOf(kept.delivery);
    backToTurn(delivery, turn);
    return { ...rest, delivery };
  },
  commits: ({ slot, delivery }) => (slot === undefined || !delivery ? [] : [{ slot, commit: delivery.at, isDecisive: true }]),
};

/** Plain JSON. */
function copyOf<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** How a plan is delivered, for people. */
function deliveryView(delivery: Delivery): DeliveryView {
  return {
    ...progressOf(delivery),
    increments: delivery.increments.map(({ id, tasks, attempts, status, failed, blockedBy }) => ({
      ...{ id, tasks: tasks.map((task) => task.id), attempts },
      ...defined({ status, failed, blockedBy }),
    })),
  };
}
