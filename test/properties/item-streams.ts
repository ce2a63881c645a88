import type { ArtifactRef } from '../../plan/run/artifact';
import { parseAddress } from '../../plan/steps/address';
import type { Step } from '../../plan/steps/step';
import { type EmitSpec, type EmittedInput, type EmittedItem, type EmittedOutput, streamName } from '../../plan/steps/stream';
import { dice } from '../support/simulation/dice';
import type { SimulatedRun } from '../support/simulation/simulated-run';

/** What producers emit while they work, and what runs read of it, as `activities/streams` has it. */
export interface ItemStreams {
  /**
   * A call of the producer begins, and takes so long. An agent's stops where as many items wait as may: true, and it is to be called again. A command has no more
   * items than that.
   */
  emit(run: SimulatedRun, step: Step, address: string, forMs: number): boolean;
  emitted(run: SimulatedRun, input: EmittedInput): EmittedOutput;
}

interface Log {
  items: EmittedItem[];
  /** The key of each line. */
  lines: string[];
  taken: number;
}

interface Around {
  seed: number;
  stored(run: SimulatedRun, address: string, name: string): ArtifactRef;
  later(ms: number, then: () => void): void;
  wake(run: SimulatedRun, stream: string): void;
}

export function createItemStreams({ seed, stored, later, wake }: Around): ItemStreams {
  const logs = new Map<string, Log>();

  function logOf({ workflowId }: SimulatedRun, stream: string): Log {
    const key = `${workflowId} ${stream}`;
    const log = logs.get(key) ?? { items: [], lines: [], taken: 0 };
    logs.set(key, log);
    return log;
  }

  function record(run: SimulatedRun, stream: string, spec: EmitSpec, nth: number): void {
    const { items, lines } = logOf(run, stream);
    const item = itemOf(run, stream, spec, nth);
    if (lines.includes(String(item.key))) return;
    items.push(item);
    lines.push(String(item.key));
    // The run is not reached each time.
    if (dice(seed, 'woken', run.workflowId, stream, nth).chance(0.9)) wake(run, stream);
  }

  function itemOf(run: SimulatedRun, stream: string, { depends, files }: EmitSpec, nth: number): EmittedItem {
    const chance = dice(seed, 'item', run.workflowId, stream, nth);
    const key = `i${nth}`;
    return {
      ...{ item: stored(run, addressOf(stream), `${stream}/${key}`), key },
      ...(depends && chance.chance(0.4) ? { depends: [chance.pick(['i0', 'i1', 'i2', 'i3', 'nowhere'])] } : {}),
      ...(files && chance.chance(0.5) ? { files: [chance.pick(['a.ts', 'b.ts'])] } : {}),
    };
  }

  return {
    emit(run, step, address, forMs) {
      const { emits } = step;
      const place = parseAddress(address);
      if (!emits || !place) return false;
      const stream = streamName(place);
      const { items, taken } = logOf(run, stream);
      const whole = dice(seed, 'items', run.workflowId, stream).whole(0, 5);
      const room = Math.max(0, emits.maxWaiting - Math.max(0, items.length - taken));
      const isAgent = 'agent' in step;
      const all = isAgent ? whole : Math.min(whole, emits.maxWaiting);
      const from = isAgent ? items.length : 0;
      const to = isAgent ? Math.min(all, from + room) : all;
      for (let nth = from; nth < to; nth++) later((forMs * (nth - from + 1)) / (to - from + 1), () => record(run, stream, emits, nth));
      return to < all;
    },
    emitted(run, { stream, after, taken, close }) {
      const log = logOf(run, stream);
      log.taken = Math.max(log.taken, taken);
      const items = log.items.slice(after);
      const list = close ? { list: stored(run, addressOf(stream), `${stream}/all`) } : {};
      return { items, again: [], lines: log.lines.length, ...list };
    },
  };
}

/** Of a producer's round. */
function addressOf(stream: string): string {
  return stream.replace(/\/items$/, '~1');
}
