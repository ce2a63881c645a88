import { randomUUID } from 'node:crypto';
import { defined } from '../../plan/defined';
import { jsonIn } from '../../plan/text/json-text';
import { COST_SUM_NUMBERS, type CostGroup, type Paid, type PaidSum } from '../accounts/sum';
import type { EndedIndex, EndedQuery, KnownCosts } from '../ended-index';
import type { RunKey } from '../ledger';
import { type EndedCost, type ListedEnd, readEndedCost, readListedEnd } from '../runs/listed-end';
import type { Database } from './database';

/** The ends of runs in tables: a row for each run with its last end, and rows for what it cost, which the database adds up. */
export class EndedRows implements EndedIndex {
  constructor(private readonly database: Pick<Database, 'query'>) {}

  async note(end: ListedEnd, cost?: EndedCost): Promise<void> {
    const { run, firstRun, pipeline, state, startedAt, endedAt, parent } = end;
    const { extent = null, first, last, paid = [] } = cost ?? {};
    // The database keeps no text with a NUL; what it cost is then read from the accounts.
    const isKept = !JSON.stringify(paid).includes('\\u0000');
    await this.database.query(NOTE, [
      ...[run, firstRun, randomUUID(), endedAt, startedAt, pipeline, state, parent === undefined, JSON.stringify(end)],
      ...(isKept ? [extent, first ?? null, last ?? null] : [null, null, null]),
      JSON.stringify(isKept && first !== undefined ? paid.map(rowOf) : []),
      cost && isKept ? JSON.stringify(cost) : null,
    ]);
  }

  async list({ pipeline, state, tops = false, contains, by, after, limit }: EndedQuery): Promise<ListedEnd[]> {
    const sql = by === 'endedAt' ? BY_END : BY_START;
    const values = [pipeline ?? null, state ?? null, tops, contains ?? null, limit ?? null];
    const rows = await this.database.query<{ listed: string }>(sql, [
      ...values,
      ...(by === 'endedAt' ? [after?.endedAt ?? null, after?.run ?? ''] : []),
    ]);
    return rows.flatMap(({ listed }) => readListedEnd(jsonIn(listed)) ?? []);
  }

  async costs(groups: readonly CostGroup[], sinceMs = 0): Promise<KnownCosts> {
    const rows = await this.database.query<CostRow>(costsBy(groups), [new Date(sinceMs).toISOString()]);
    const [paid, left]: [Paid[], RunKey[]] = [[], []];
    for (const { workflow_id: workflowId, first_run: run, ...sum } of rows) {
      if (workflowId !== null) left.push({ workflowId, run: run ?? '' });
      else paid.push(asSum(sum));
    }
    return { paid, left };
  }
}

/** Every run once, with what it cost, as far as that is known, page by page. */
export async function* notedEnds(database: Database): AsyncGenerator<{ end: ListedEnd; cost?: EndedCost }> {
  for (let last: NotedRow | undefined = { workflow_id: '', run: '', listed: '', cost: null }; last; ) {
    const rows: NotedRow[] = await database.query<NotedRow>(NOTED, [last.workflow_id, last.run]);
    for (const { workflow_id: workflowId, run, listed, cost } of rows) {
      const end = readListedEnd(jsonIn(listed));
      const known = cost === null ? undefined : readEndedCost(jsonIn(cost), { workflowId, run });
      if (end) yield { end, ...defined({ cost: known }) };
    }
    last = rows.at(-1);
  }
}

interface NotedRow {
  workflow_id: string;
  run: string;
  listed: string;
  cost: string | null;
}

type SumRow = Record<CostGroup, string> &
  Record<(typeof COST_SUM_NUMBERS)[number], number> & { adapter: string; unknown_model: string | null };
interface CostRow extends SumRow {
  workflow_id: string | null;
  first_run: string | null;
}

function asSum(row: Omit<CostRow, 'workflow_id' | 'first_run'>): PaidSum {
  const numbers = Object.fromEntries(COST_SUM_NUMBERS.map((name) => [name, row[name]])) as Omit<PaidSum['sum'], 'unknownModels'>;
  const { day, run, pipeline, step, agent, adapter, model } = row;
  const sum = { ...numbers, unknownModels: row.unknown_model === null ? [] : [row.unknown_model] };
  return { kind: 'sum', day, run, pipeline, step, agent, adapter, model, sum };
}

function rowOf({ kind: _, sum: { unknownModels, ...numbers }, model = '', ...names }: PaidSum) {
  return { ...names, model, ...numbers, has_unknown: unknownModels.length > 0 };
}

const NAMES = ['day', 'run', 'pipeline', 'step', 'agent', 'model', 'adapter'] as const;
const NUMBERS = COST_SUM_NUMBERS.map((name) => `"${name}"`);

const NOTE = `
with old as (select noted from thermidor.ended_run where workflow_id = $1 and run = $2),
head as (
  insert into thermidor.ended_run as ended
    (workflow_id, run, noted, ended_at, started_at, pipeline, state, is_top, listed, first_at, last_at, cost)
  values ($1, $2, $3::uuid, $4, $5, $6, $7, $8::boolean, $9, $11, $12, $14)
  on conflict (workflow_id, run) do update set
    noted = excluded.noted, ended_at = excluded.ended_at, started_at = excluded.started_at, pipeline = excluded.pipeline,
    state = excluded.state, is_top = excluded.is_top, listed = excluded.listed,
    first_at = excluded.first_at, last_at = excluded.last_at, cost = excluded.cost
  where ended.ended_at <= excluded.ended_at and ended.noted <> excluded.noted
  returning noted
), summed as (
  update thermidor.run set has_unsummed = accounted > 0 and accounted::float8 is distinct from $10::float8
  where workflow_id = $1 and run = $2 and exists (select from head)
), gone as (
  delete from thermidor.ended_cost where noted in (select noted from old) and exists (select from head)
)
insert into thermidor.ended_cost (noted, first_at, ${NAMES.join(', ')}, ${NUMBERS.join(', ')}, has_unknown)
select head.noted, $11, ${[...NAMES, ...NUMBERS].map((name) => `paid.${name}`).join(', ')}, paid.has_unknown
from head, json_to_recordset($13::json) as paid (
  ${[...NAMES.map((name) => `${name} text`), ...NUMBERS.map((name) => `${name} float8`), 'has_unknown boolean'].join(', ')}
)`;

const FITTING = `
select listed from thermidor.ended_run as ended
where not exists (
    select from thermidor.ended_run as later where later.workflow_id = ended.workflow_id and later.started_at > ended.started_at
  )
  and ($1::text is null or pipeline = $1) and ($2::text is null or state = $2) and (not $3::boolean or is_top)
  and ($4::text is null or position($4 in workflow_id) > 0)`;
const BY_START = `${FITTING} order by started_at desc limit $5::bigint`;
const BY_END = `${FITTING}
  and ($6::text is null or (ended_at <= $6 and (ended_at < $6 or workflow_id > $7)))
order by ended_at desc, workflow_id limit $5::bigint`;

const NOTED = `
select workflow_id, run, listed, case when not coalesce(has_unsummed, false) then cost end as cost
from thermidor.ended_run left join thermidor.run using (workflow_id, run)
where (workflow_id, run) > ($1, $2) order by workflow_id, run limit 500`;

/** One statement, so that a run that ends meanwhile is in one of the two and not in both. */
function costsBy(groups: readonly CostGroup[]): string {
  const kept = NAMES.filter((name) => name === 'adapter' || groups.includes(name));
  const sums = NUMBERS.map((name) => `sum(${name}) as ${name}`);
  return `
with unsummed as (select workflow_id, run, accounted_at from thermidor.run where has_unsummed)
select null as workflow_id, null as first_run,
       ${NAMES.map((name) => (kept.includes(name) ? `cost.${name}` : `'' as ${name}`)).join(', ')}, ${sums.join(', ')},
       case when has_unknown then model end as unknown_model
from thermidor.ended_cost as cost
where first_at >= $1 and noted not in (select noted from thermidor.ended_run join unsummed using (workflow_id, run))
group by ${kept.map((name) => `cost.${name}`).join(', ')}, unknown_model
union all
select workflow_id, run, ${NAMES.map(() => `''`).join(', ')}, ${NUMBERS.map(() => '0').join(', ')}, null
from (
  select workflow_id, run from unsummed where accounted_at >= $1::timestamptz
  union all
  select workflow_id, run from thermidor.ended_run
  where first_at < $1 and last_at >= $1 and (workflow_id, run) not in (select workflow_id, run from unsummed)
) as unread`;
}
