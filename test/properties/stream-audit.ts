import { type Address, formatPath, isWithin, parseAddress, stepIdOf } from '../../plan/steps/address';
import { streamName } from '../../plan/steps/stream';
import { field, type Json } from '../../plan/text/json';
import type { History } from './history';
import type { ItemStreams } from './item-streams';
import { beside, type PlanIndex } from './plan-index';

/**
 * Properties of loops over streams: 1. the place of an item in its log is the number of its iteration, so each item is taken at most once;
 * 2. a loop that is done has taken every recorded item, or left it out because everything was blocked.
 */
export function auditItems(streams: ItemStreams, workflowId: string, id: string, input: Json): string[] {
  const loops = field(input, 'loops');
  return (Array.isArray(loops) ? loops : []).flatMap((loop) => {
    const [sha256, index] = [field(field(loop, 'item') ?? null, 'sha256'), field(loop, 'index')];
    const at = typeof sha256 === 'string' ? streams.placeOf(workflowId, sha256) : undefined;
    return at === undefined || at === index ? [] : [`${id} takes up item ${at} of a stream as number ${index}`];
  });
}

export function auditStreams(index: PlanIndex, { entries }: History, streams: ItemStreams, workflowId: string): string[] {
  const rounds = new Map<string, number>();
  const begun = new Map<string, Set<number>>();
  const skipping = new Set<string>();
  /** Keys of items, by loop. */
  const failed = new Map<string, Set<Json>>();
  const found: string[] = [];

  function forget(path: string): void {
    for (const taken of [begun, failed]) for (const known of taken.keys()) if (known === path || isWithin(known, path)) taken.delete(known);
    skipping.delete(path);
  }

  for (const entry of entries) {
    const address = 'step' in entry && entry.step !== undefined ? parseAddress(entry.step) : undefined;
    if (!address) continue;
    const path = formatPath(address.path);
    if (entry.kind === 'pattern' && entry.type === 'item' && 'follows' in entry.data && entry.data.follows === 'skip') skipping.add(path);
    // The time of an item may be up before its first step began.
    if (entry.kind === 'pattern' && entry.type === 'item' && 'failed' in entry.data)
      failed.set(path, (failed.get(path) ?? new Set()).add(entry.data.key ?? null));
    if (entry.kind !== 'step') continue;
    if (entry.state === 'superseded') forget(path);
    if (entry.state === 'running') rounds.set(path, address.round);
    for (const { loop, iteration } of iterationsOf(address)) begun.set(loop, (begun.get(loop) ?? new Set()).add(iteration));
    const step = index.step(stepIdOf(address));
    // A loop that failed and was passed over has no output.
    if (entry.state !== 'done' || !entry.artifact || step?.kind !== 'for_each' || step.stream === undefined || skipping.has(path)) continue;
    const producer = beside(address, step.stream);
    const stream = streamName({ path: parseAddress(producer)?.path ?? [], round: rounds.get(producer) ?? 1 });
    const wasTaken = (i: number, key: Json): boolean => begun.get(path)?.has(i) === true || failed.get(path)?.has(key) === true;
    const left = streams.items(workflowId, stream).flatMap(({ key }, i) => (wasTaken(i, key ?? null) ? [] : [i]));
    if (left.length > 0) found.push(`${entry.step} is done without the items ${left.join(', ')} of ${stream}`);
  }
  return found;
}

/** The loops around a step, each with the step's iteration. */
function iterationsOf({ path }: Address): { loop: string; iteration: number }[] {
  return path.slice(0, -1).flatMap(({ id, index }, i) => {
    if (index === undefined) return [];
    return [{ loop: formatPath([...path.slice(0, i), { id }]), iteration: index }];
  });
}
