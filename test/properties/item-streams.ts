import type { ArtifactRef } from '../../plan/run/artifact';
import { parseAddress } from '../../plan/steps/address';
import type { Step } from '../../plan/steps/step';
import {
  type EmitItemOutput,
  type EmitSpec,
  type EmittedInput,
  type EmittedOutput,
  type RecordedItem,
  type SentItem,
  streamName,
  takenToNote,
} from '../../plan/steps/stream';
import { canonicalJson, field } from '../../plan/text/json';
import { dice } from '../support/simulation/dice';
import type { Work } from '../support/simulation/ports';
import type { SimulatedRun } from '../support/simulation/simulated-run';
import { type EmittedLog, itemsAfter, openLog, recordItem, roomIn } from './emitted-log';

/** The items that producers emit while they work, and that runs read, like `activities/streams`. */
export interface ItemStreams {
  /**
   * The work of a producer's call, with the items that it emits on the way. If the maximum of items is waiting, a call of an agent ends as
   * `heldBack` and must be made again; a command waits until there is room, it is cancelled, or its time is up.
   */
  producing(run: SimulatedRun, step: Step, address: string, work: Work, heldBack?: Work): Work;
  emitted(run: SimulatedRun, input: EmittedInput): EmittedOutput;
  /** Somebody sends an item: an invalid one, one that exists, one for which there is no room, or a new one. */
  emitFromOutside(run: SimulatedRun, spec: EmitSpec, input: SentItem): EmitItemOutput;
  /** All items of a stream, in order. */
  items(workflowId: string, stream: string): readonly RecordedItem[];
  /** The place of an item in its stream, from 0. */
  placeOf(workflowId: string, sha256: string): number | undefined;
}

interface Around {
  seed: number;
  nowMs(): number;
  stored(run: SimulatedRun, address: string, name: string): ArtifactRef;
  wake(run: SimulatedRun, stream: string): void;
}

const FIRST_LOOK_MS = 100;
const LONGEST_LOOK_MS = 400;

export function createItemStreams({ seed, nowMs, stored, wake }: Around): ItemStreams {
  const logs = new Map<string, EmittedLog>();
  /** The number of items that an agent's call has emitted, by run and address. It continues from there when it is called again. */
  const emittedBy = new Map<string, number>();

  function logOf(workflowId: string, stream: string): EmittedLog {
    const key = `${workflowId} ${stream}`;
    const log = logs.get(key) ?? openLog();
    logs.set(key, log);
    return log;
  }

  function itemOf(run: SimulatedRun, stream: string, call: string, { depends, files }: EmitSpec, nth: number): RecordedItem {
    const chance = dice(seed, 'item', run.workflowId, stream, nth);
    const key = `i${nth}`;
    return {
      ...{ id: `${call}/line-${nth}`, from: { call }, item: stored(run, addressOf(stream), `${stream}/${key}`), key },
      ...(depends && chance.chance(0.4) ? { depends: [chance.pick(['i0', 'i1', 'i2', 'i3', 'nowhere'])] } : {}),
      ...(files && chance.chance(0.5) ? { files: [chance.pick(['a.ts', 'b.ts'])] } : {}),
    };
  }

  function producing(run: SimulatedRun, step: Step, address: string, work: Work, heldBack?: Work): Work {
    const { emits: spec } = step;
    const place = parseAddress(address);
    if (!spec || !place) return work;
    const stream = streamName(place);
    const log = logOf(run.workflowId, stream);
    const chance = dice(seed, 'items', run.workflowId, stream);
    const all = chance.whole(0, 5) + chance.pick([0, chance.whole(1, 8)]);
    const mostLines = chance.pick([1, 3, 20]);
    const caller = `${run.workflowId} ${address}`;
    let recorded = heldBack ? (emittedBy.get(caller) ?? 0) : 0;
    let printed = recorded;
    const shareMs = work.afterMs / (all - recorded + 1);
    const dueMs = nowMs() + (heldBack ? Number.POSITIVE_INFINITY : (step.timeoutMs ?? Number.POSITIVE_INFINITY));

    function next(): Work {
      if (printed === all) return inTime({ ...work, afterMs: shareMs });
      const lines = Math.min(all - printed, mostLines);
      printed += lines;
      return inTime({ afterMs: shareMs * lines, goOn: record });
    }

    /** Records what was emitted. The signal to the run is sometimes lost, but never before the call waits. */
    function record(): Work {
      const before = recorded;
      for (; recorded < printed; recorded++) {
        if (roomIn(log, spec as EmitSpec) === 0) return heldBack ? { ...heldBack, afterMs: 0 } : standStill();
        recordItem(log, itemOf(run, stream, address, spec as EmitSpec, recorded));
        emittedBy.set(caller, recorded + 1);
      }
      if (recorded > before && dice(seed, 'woken', run.workflowId, stream, recorded).chance(0.9)) wake(run, stream);
      return next();
    }

    function standStill(): Work {
      wake(run, stream);
      const look = (afterMs: number): Work =>
        inTime({ afterMs, goOn: () => (roomIn(log, spec as EmitSpec) > 0 ? record() : look(Math.min(2 * afterMs, LONGEST_LOOK_MS))) });
      return look(FIRST_LOOK_MS);
    }

    function inTime(some: Work): Work {
      const leftMs = dueMs - nowMs();
      if (some.afterMs <= leftMs) return some;
      return { afterMs: leftMs, outcome: { kind: 'failure', code: 'command.timeout', message: 'it takes too long' } };
    }

    return next();
  }

  function emitFromOutside(run: SimulatedRun, spec: EmitSpec, { stream, item: said, by }: SentItem): EmitItemOutput {
    const log = logOf(run.workflowId, stream);
    const id = `outside-${canonicalJson([by, said])}`;
    const key = field(said, 'id');
    if (!log.items.some((known) => known.id === id) && roomIn(log, spec) === 0) return { problem: 'too many wait' };
    if (key === undefined) return { problem: 'it has no "id"' };
    if (log.items.length >= spec.maxItems && !log.items.some((known) => known.key === key)) return { problem: 'too many items' };
    const item = { id, from: { by }, item: stored(run, addressOf(stream), `${stream}/${String(key)}`), key };
    return recordItem(log, item) ? { again: true } : {};
  }

  return {
    producing,
    emitFromOutside,
    emitted(run, input) {
      const { stream, after, lines, unbounded, close } = input;
      const log = logOf(run.workflowId, stream);
      const taken = takenToNote(input, log.items.length);
      log.taken = Math.max(log.taken, taken);
      log.isUnbounded = unbounded === true;
      const list = close ? { list: stored(run, addressOf(stream), `${stream}/all`) } : {};
      return { ...itemsAfter(log, after, lines), taken, ...list };
    },
    items: (workflowId, stream) => logOf(workflowId, stream).items,
    placeOf(workflowId, sha256) {
      for (const [key, { items }] of logs) {
        const at = key.startsWith(`${workflowId} `) ? items.findIndex(({ item }) => item.sha256 === sha256) : -1;
        if (at >= 0) return at;
      }
      return undefined;
    },
  };
}

/** The address of the producer's round. */
function addressOf(stream: string): string {
  return stream.replace(/\/items$/, '~1');
}
