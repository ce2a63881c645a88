import type { ActivityPorts } from '../activity-ports';
import { readItemLog, readTaken } from './item-log';
import type { OpenStream } from './stream-types';

/** How many more items may wait: 0 if too many do, and Infinity if nothing bounds them. */
export async function roomIn(toolbox: Pick<ActivityPorts, 'ledger'>, { key, name, spec }: OpenStream): Promise<number> {
  const [{ items }, taken] = [await readItemLog(toolbox, key, name), await readTaken(toolbox, key, name)];
  return taken.unbounded ? Number.POSITIVE_INFINITY : Math.max(0, spec.maxWaiting - (items.length - taken.most));
}

/** Whether as many items wait as may. */
export async function isFull(toolbox: Pick<ActivityPorts, 'ledger'>, stream: OpenStream): Promise<boolean> {
  return (await roomIn(toolbox, stream)) === 0;
}
