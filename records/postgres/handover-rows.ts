import { randomUUID } from 'node:crypto';
import { type Handovers, YOUNGER_FIRST_MS } from '../handovers';
import type { Database } from './database';
import { keyDigest } from './key-digest';

/** A row for each work that is handed over. The next worker that begins or hands over removes rows that no longer count. */
export async function openHandoverRows(database: Database): Promise<Handovers> {
  const now = async (): Promise<number> => (await database.query<{ now: number }>(NOW))[0]?.now ?? 0;
  await database.query(FORGET, [YOUNGER_FIRST_MS]);
  const began = await now();
  let stopped: number | undefined;
  return {
    async stopping() {
      stopped ??= await now();
    },
    async handOver(works) {
      await database.query(FORGET, [YOUNGER_FIRST_MS]);
      await database.query(HAND_OVER, [works.map(idOf), randomUUID(), stopped ?? null]);
    },
    async isForYounger(work) {
      return (await database.query(IS_FOR_YOUNGER, [idOf(work), began, YOUNGER_FIRST_MS])).length > 0;
    },
  };
}

function idOf(work: string): string {
  return keyDigest(work).toString('hex');
}

/** Seconds with microseconds, which is as exact as the database is: of two workers that begin at once neither is younger. */
const NOW = 'select extract(epoch from clock_timestamp())::float8 as now';
const FORGET = `delete from thermidor.handed_over where added_at < clock_timestamp() - $1::float8 * interval '1 ms'`;
const HAND_OVER = `
insert into thermidor.handed_over (work, id, stopped_at)
select distinct work, $2::uuid, coalesce(to_timestamp($3::float8), clock_timestamp()) from unnest($1::text[]) as work
on conflict do nothing`;
const IS_FOR_YOUNGER = `
select from thermidor.handed_over
where work = $1 and to_timestamp($2::float8) <= stopped_at and added_at > clock_timestamp() - $3::float8 * interval '1 ms' limit 1`;
