import { randomUUID } from 'node:crypto';
import { parseJson } from '../../plan/text/json-text';
import { ABSENT_MS, type FleetSlots, FORSAKEN_MS, LOST_MS, type SlotCall } from '../fleet-slots';
import type { Database } from './database';
import { keyDigest } from './key-digest';

const TIMES = { lostMs: LOST_MS, absentMs: ABSENT_MS, forsakenMs: FORSAKEN_MS };

/**
 * Slots in tables. A look and a change are one statement, a function of the schema that holds a lock for the pipeline. They are durable,
 * for the database may crash while holders live on.
 */
export class SlotRows implements FleetSlots {
  private readonly times: typeof TIMES;

  constructor(
    private readonly database: Database,
    times: Partial<typeof TIMES> = {},
  ) {
    this.times = { ...TIMES, ...times };
  }

  async take(pipeline: string, call: SlotCall, limit: number): Promise<{ taken: boolean; wake: SlotCall[] }> {
    const values = [keyDigest(pipeline), idOf(call), JSON.stringify(call), limit, randomUUID(), ...this.ages()];
    const [answer] = await this.database.query<{ taken: boolean; wake: string[] }>(TAKE, values);
    return { taken: answer?.taken ?? false, wake: callsIn(answer?.wake) };
  }

  async keep(pipeline: string, call: SlotCall): Promise<void> {
    await this.database.query(KEEP, [keyDigest(pipeline), idOf(call)]);
  }

  async give(pipeline: string, call: SlotCall, limit: number): Promise<SlotCall[]> {
    const values = [keyDigest(pipeline), idOf(call), limit, randomUUID(), ...this.ages()];
    const [answer] = await this.database.query<{ wake: string[] }>(GIVE, values);
    return callsIn(answer?.wake);
  }

  async sweep(): Promise<void> {
    await this.database.query(SWEEP, [...this.ages(), intervalOf(this.times.forsakenMs)]);
  }

  private ages(): string[] {
    return [this.times.lostMs, this.times.absentMs].map(intervalOf);
  }
}

function intervalOf(ms: number): string {
  return `${ms} milliseconds`;
}

function callsIn(said: readonly string[] = []): SlotCall[] {
  return said.map((text) => parseJson<SlotCall>(text));
}

function idOf({ workflowId, run, step }: SlotCall): Buffer {
  return keyDigest(workflowId, run, step);
}

const TAKE = 'select taken, wake from thermidor.take_slot($1, $2, $3, $4::int, $5::uuid, $6::interval, $7::interval)';
const GIVE = 'select thermidor.give_slot($1, $2, $3::int, $4::uuid, $5::interval, $6::interval) as wake';
const KEEP = `
update thermidor.slot set kept_at = clock_timestamp() where fleet = $1 and call = $2
returning set_config('synchronous_commit', 'off', true)`;
// Without the lock of a fleet: who gives a sign of life at the same moment keeps the row, because it is looked at again before it goes.
const SWEEP = `
with lost as (delete from thermidor.slot where thermidor.is_silent(kept_at, $1::interval))
delete from thermidor.place_in_line where case when woken_at is null then thermidor.is_silent(asked_at, $3::interval)
  else thermidor.is_silent(woken_at, $2::interval) end`;
