import { randomUUID } from 'node:crypto';
import { type HostPresence, type PresenceTimes, presenceTimes, type StopAnnouncing, type Unheard } from '../host-presence';
import { repeatSigns } from '../signs-of-life';
import type { Database } from './database';

/**
 * A row for each worker. While the database is away nobody can give a sign of life, so when it is back all have as long as ever to give
 * the next; but not those that were silent too long when it went away, which is when the last sign before its start came.
 */
export function presenceRows(database: Database, unheard: Unheard, times?: PresenceTimes): HostPresence {
  const all = presenceTimes(times);
  return {
    announce: (host) => announce(database, host, all, unheard),
    async isAlive(host) {
      return (await database.query(ALIVE, [host, all.deadAfterMs])).length > 0;
    },
  };
}

async function announce(
  database: Database,
  host: string,
  { everyMs, forgottenAfterMs }: ReturnType<typeof presenceTimes>,
  unheard: Unheard,
): Promise<StopAnnouncing> {
  const worker = randomUUID();
  // The row may be gone by now: the worker was stopped for a day, or a crash of the database took its last moments along.
  const sign = async (): Promise<void> => void (await database.query(SIGN, [worker, host]));
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
insert into thermidor.worker (id, host, seen_at) values ($1, $2, clock_timestamp())
on conflict (id) do update set seen_at = clock_timestamp(),
  before_start = case when worker.seen_at < pg_postmaster_start_time() then worker.seen_at else worker.before_start end
returning set_config('synchronous_commit', 'off', true)`;
const ALIVE = `
with times as (select pg_postmaster_start_time() as back, $2::float8 * interval '1 ms' as dead_after)
select from thermidor.worker, times
where host = $1 and (
  seen_at > clock_timestamp() - dead_after
  or back > clock_timestamp() - dead_after
    and seen_at > (select max(case when seen_at < back then seen_at else before_start end) from thermidor.worker) - dead_after
) limit 1`;
const FORGET = `
delete from thermidor.worker
where greatest(seen_at, pg_postmaster_start_time()) < clock_timestamp() - $1::float8 * interval '1 ms'`;
const LEAVE = 'delete from thermidor.worker where id = $1';
