import { ABSENT_MS, type FleetSlots, FORSAKEN_MS, LOST_MS, type SlotCall } from '../fleet-slots';

/** What a pipeline's agents hold and wait for, by what names a call. */
interface Fleet {
  held: Map<string, number>;
  /** In the order in which they came. `wokenMs` is 0 until its turn comes. */
  line: Map<string, { call: SlotCall; askedMs: number; wokenMs: number }>;
}

export class MemorySlots implements FleetSlots {
  private readonly fleets = new Map<string, Fleet>();

  constructor(private readonly nowMs: () => number) {}

  async take(pipeline: string, call: SlotCall, limit: number): Promise<{ taken: boolean; wake: SlotCall[] }> {
    const fleet = this.fleetOf(pipeline);
    const own = nameOf(call);
    const inLine = [...fleet.line.keys()];
    const place = inLine.indexOf(own);
    const ahead = place < 0 ? inLine.length : place;
    const taken = fleet.held.has(own) || ahead < limit - fleet.held.size;
    if (taken) {
      fleet.held.set(own, this.nowMs());
      fleet.line.delete(own);
    } else fleet.line.set(own, { call, askedMs: this.nowMs(), wokenMs: 0 });
    return { taken, wake: this.next(fleet, limit, own) };
  }

  async keep(pipeline: string, call: SlotCall): Promise<void> {
    const { held } = this.fleetOf(pipeline);
    if (held.has(nameOf(call))) held.set(nameOf(call), this.nowMs());
  }

  async give(pipeline: string, call: SlotCall, limit: number): Promise<SlotCall[]> {
    const fleet = this.fleetOf(pipeline);
    fleet.held.delete(nameOf(call));
    return this.next(fleet, limit);
  }

  async sweep(): Promise<void> {
    for (const pipeline of [...this.fleets.keys()]) {
      const { line } = this.fleetOf(pipeline);
      for (const [name, { askedMs, wokenMs }] of line) if (wokenMs === 0 && this.nowMs() - askedMs > FORSAKEN_MS) line.delete(name);
    }
  }

  private next({ held, line }: Fleet, limit: number, but?: string): SlotCall[] {
    const wake: SlotCall[] = [];
    for (const [name, place] of [...line].slice(0, Math.max(0, limit - held.size))) {
      if (name === but || place.wokenMs > 0) continue;
      place.wokenMs = this.nowMs();
      wake.push(place.call);
    }
    return wake;
  }

  /** Without those that are lost. */
  private fleetOf(pipeline: string): Fleet {
    const fleet = this.fleets.get(pipeline) ?? { held: new Map(), line: new Map() };
    this.fleets.set(pipeline, fleet);
    for (const [name, atMs] of fleet.held) if (this.nowMs() - atMs > LOST_MS) fleet.held.delete(name);
    for (const [name, { wokenMs }] of fleet.line) if (wokenMs > 0 && this.nowMs() - wokenMs > ABSENT_MS) fleet.line.delete(name);
    return fleet;
  }
}

function nameOf({ workflowId, run, step }: SlotCall): string {
  return JSON.stringify([workflowId, run, step]);
}
