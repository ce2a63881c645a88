import { createHash } from 'node:crypto';
import { bug, ThermidorFailure } from '../../plan/run/failure';
import type { EmitItemOutput, EmitItemsInput, SentItem } from '../../plan/steps/stream';
import { canonicalJson } from '../../plan/text/json';
import type { ActivityCall } from '../activity-call';
import { asManyAsFit } from '../as-many-as-fit';
import { loadRun } from '../run/load-run';
import type { Toolbox } from '../toolbox';
import { emitItem } from './emit-item';
import { readItemLog } from './item-log';
import { isFull } from './room';

/**
 * Records an item that somebody has sent to the run. The same item of the same person counts once, however often it is sent: even if the
 * worker that recorded it died, and the stream is full by now.
 */
export async function emitFromOutside(
  toolbox: Toolbox,
  { key }: ActivityCall,
  { stream: name, step, item, by }: SentItem,
): Promise<EmitItemOutput> {
  const spec = (await loadRun(toolbox, key)).steps.get(step)?.emits;
  if (!spec) throw bug(`step "${step}" emits nothing`);
  const stream = { key, name, step, spec };
  const id = `outside-${createHash('sha256')
    .update(canonicalJson([by, item]))
    .digest('hex')
    .slice(0, 32)}`;
  try {
    const { items } = await readItemLog(toolbox, key, name);
    if (!items.some((known) => known.id === id) && (await isFull(toolbox, stream)))
      return { problem: `${spec.maxWaiting} items wait already (max_waiting): emit it later` };
    const emitted = await emitItem(toolbox, stream, item, { id, from: { by } });
    if (emitted.kind === 'refused') return { problem: emitted.problem };
    return emitted.kind === 'again' ? { again: true } : {};
  } catch (error) {
    if (error instanceof ThermidorFailure && error.code === 'stream.too-many-items') return { problem: error.message };
    throw error;
  }
}

/** Records what people have sent, in order: the first part of it, as much as there is time for. Repeating it records nothing twice. */
export function emitManyFromOutside(toolbox: Toolbox, call: ActivityCall, { items }: EmitItemsInput): Promise<EmitItemOutput[]> {
  return asManyAsFit(
    items,
    (one) => emitFromOutside(toolbox, call, one),
    (problem) => ({ problem }),
  );
}
