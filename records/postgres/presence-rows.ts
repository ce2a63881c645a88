import { randomUUID } from 'node:crypto';
import {
  type HostPresence,
  type PresenceTimes,
  presenceTimes,
  type SaysOfItself,
  type StopAnnouncing,
  type Unheard,
} from '../host-presence';
import { repeatSigns } from '../signs-of-life';
import { heardIn, signText } from '../worker-sign';
import type { Database } from './database';

/** A row for each worker. The function `is_silent` of the schema says which are dead. */
export function presenceRows(database: Database, unheard: Unheard, times?: PresenceTimes): HostPresence {
  const all = presenceTimes(times);
  return {
    announce: (host, says) => announce(database, host, says, all, unheard),
    async isAlive(host) {
      return (await database.query(ALIVE, [host, all.deadAfterMs])).length > 0;
    },
    async workers() {
      const rows = await database.query<{ said: string; age_ms: number }>(WORKERS);
      return rows.flatMap(({ said, age_ms }) => heardIn(said, age_ms) ?? []);
    },
  };
}

async function announce(
  database: Database,
  host: string,
  says: SaysOfItself | undefined,
  { everyMs, forgottenAfterMs }: ReturnType<typeof presenceTimes>,
  unheard: Unheard,
): Promise<StopAnnouncing> {
  const worker = randomUUID();
  // The row may be gone by now: the worker was stopped for a day, or a crash of the database took its last moments along.
  const sign = async (): Promise<void> => void (await database.query(SIGN, [worker, host, says ? signText(await says()) : null]));
  await database.query(FORGET, [forgottenAfterMs]);
  await sign();
  // If signs fail, others take this host for dead, and its worktrees over: the epoch fences it off.
  const stop = repeatSigns(sign, everyMs, (problem) => unheard(host, problem));
  return async () => {
    await stop();
    await database.query(LEAVE, [worker]);
  };
}

const SIGN = `
insert into thermidor.worker (id, host, said, seen_at) values ($1, $2, $3, clock_timestamp())
on conflict (id) do update set said = excluded.said, seen_at = clock_timestamp(),
  before_start = case when worker.seen_at < pg_postmaster_start_time() then worker.seen_at else worker.before_start end
returning set_config('synchronous_commit', 'off', true)`;
const ALIVE = `
select from thermidor.worker where host = $1 and not thermidor.is_silent(seen_at, $2::float8 * interval '1 ms') limit 1`;
const WORKERS = `
select said, (extract(epoch from clock_timestamp() - seen_at) * 1000)::float8 as age_ms from thermidor.worker where said is not null`;
const FORGET = `delete from thermidor.worker where thermidor.is_silent(seen_at, $1::float8 * interval '1 ms')`;
const LEAVE = 'delete from thermidor.worker where id = $1';
