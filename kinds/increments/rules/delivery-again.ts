import { type Delivery, keptIncrements, withDependents } from './delivery';

/** How a delivery is taken up again, after its end or in a rerun. */

/** Lost increments are tried once more, beginning from what is kept, and tasks left out of the kept ones, as increments of their own. */
export function takeUpAgain(delivery: Delivery): void {
  splitLeftOut(delivery);
  beginAgain(delivery);
}

/** Dependents come after their task: the increments are in order, and each part is next to its original increment. */
function splitLeftOut(delivery: Delivery): void {
  const { increments, blockedTasks } = delivery;
  const left = withDependents(increments, blockedTasks);
  const ids = new Set(increments.map(({ id }) => id));
  for (const increment of keptIncrements(delivery)) {
    const tasks = increment.tasks.filter(({ id }) => left.has(id));
    if (tasks.length === 0) continue;
    increment.tasks = increment.tasks.filter(({ id }) => !left.has(id));
    let number = 1;
    while (ids.has(`${increment.id}.${number}`)) number++;
    const id = `${increment.id}.${number}`;
    ids.add(id);
    increments.splice(increments.indexOf(increment) + 1, 0, { id, tasks, attempts: 0 });
  }
  delivery.blockedTasks = [];
}

function beginAgain(delivery: Delivery): void {
  delete delivery.fix;
  delete delivery.strayed;
  for (const increment of delivery.increments) {
    if (increment.status === 'PASS') continue;
    increment.attempts = 0;
    for (const key of ['status', 'turn', 'underway', 'before', 'commit', 'failed', 'blockedBy'] as const) delete increment[key];
  }
}

/** Back to before a turn of its parts: the increment of that turn begins again, with all later ones. */
export function backToTurn(delivery: Delivery, turn: number): void {
  const kept = keptIncrements(delivery).filter((one) => (one.turn ?? 0) < turn);
  for (const increment of keptIncrements(delivery)) if (!kept.includes(increment)) increment.status = 'REVERTED';
  takeUpAgain(delivery);
  delivery.at = kept.at(-1)?.commit ?? delivery.base;
}
