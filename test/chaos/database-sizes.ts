import type { Fleet } from './fleet';

/** Rows that some worker holds, or that only count while something lasts. */
const LEASES = ['worker', 'slot', 'place_in_line', 'handed_over', 'drained_host', 'environment'] as const;
/** What grows with each run, as it must. */
const RECORDS = ['run', 'record', 'log', 'line', 'ended_run', 'content', 'gate_link', 'step_log'] as const;

/** Sizes in the store's database; empty while it is away, or the store is a folder. */
export async function sizesOf(fleet: Fleet): Promise<Record<string, number>> {
  const lines = await fleet.askDatabase((schema) =>
    [
      one('connections', "select count(*) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()"),
      one('size, MB', 'select round(pg_database_size(current_database()) / 1048576.0, 1)'),
      one('dead rows', `select coalesce(sum(n_dead_tup), 0) from pg_stat_user_tables where schemaname = '${schema}'`),
      ...LEASES.map((table) => one(`leases: ${table}`, `select count(*) from "${schema}".${table}`)),
      ...RECORDS.map((table) => one(`records: ${table}`, `select count(*) from "${schema}".${table}`)),
    ].join(' union all '),
  );
  const pairs = (lines ?? []).map((line) => line.split('=', 2) as [string, string]);
  return Object.fromEntries(pairs.map(([name, value]) => [`database: ${name}`, Number(value)]));
}

const one = (name: string, count: string): string => `select '${name}=' || (${count})`;
