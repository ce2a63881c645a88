import { TAKEN_OVER } from '../run-retention';
import { ENDED_LOG } from '../runs/ended-run';

/** The statements of `run-retention-rows.ts`. */

/** Rows that one statement removes. */
export const SLICE = 5000;
/** A moment of the database. */
export const MOST_MS = 253_402_300_799_000;

export const NOW = 'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now';
const TIME = (value: string): string => `to_timestamp(${value}::float8 / 1000)`;

/** Whether a run has a record of its end, and is older than a moment. */
function isOlderSql(run: string, moment: string): string {
  const added = (name: string, when: string): string =>
    `exists (select from thermidor.log where workflow_id = ${run}.workflow_id and run = ${run}.run and name ${name} and added_at ${when})`;
  return `${added(`= '${ENDED_LOG}'`, `< ${TIME(moment)}`)} and not ${added(`in ('${ENDED_LOG}', '${TAKEN_OVER}')`, `>= ${TIME(moment)}`)}`;
}

export const ENDED = `
select workflow_id as "workflowId", run, exists (
  select from thermidor.step_log as log where log.workflow_id = ended.workflow_id and log.run = ended.run
) as "hasLogs"
from thermidor.run as ended
where (workflow_id, run) > ($2, $3) and removed_at is null and ${isOlderSql('ended', '$1')}
order by workflow_id, run limit 500`;
export const IS_OLDER = `
select from thermidor.run as ended
where workflow_id = $2 and run = $3 and removed_at is null and ${isOlderSql('ended', '$1')}`;
export const RUNS = `
select workflow_id as "workflowId", run, (extract(epoch from began_at) * 1000)::float8 as "beganMs"
from thermidor.run where (workflow_id, run) > ($1, $2) and removed_at is null order by workflow_id, run limit 500`;
export const RECORDS = `
select id, name, value from thermidor.record where workflow_id = $1 and run = $2 and id > $3::bytea order by id limit 500`;
export const LOGS = 'select id, name from thermidor.log where workflow_id = $1 and run = $2';
export const LINES =
  'select number::float8 as number, line from thermidor.line where log = $1 and number > $2::bigint order by number limit 500';

const GIVEN = 'unnest($1::text[], $2::text[]) as given (workflow_id, run)';
const OF_GIVEN = `(workflow_id, run) in (select workflow_id, run from ${GIVEN})`;
const HEX = (digests: string): string => `(select decode(digest, 'hex') from unnest(${digests}::text[]) as digest)`;

export const FORGET = `
with old as (
  update thermidor.run as ended set removed_at = clock_timestamp(), has_unsummed = false
  where ${OF_GIVEN} and removed_at is null and ${isOlderSql('ended', '$3')}
  returning workflow_id, run
), ended as (
  delete from thermidor.ended_run using old
  where ended_run.workflow_id = old.workflow_id and ended_run.run = old.run returning noted
), costs as (
  delete from thermidor.ended_cost where noted in (select noted from ended)
), records as (
  delete from thermidor.record as record using old
  where id in ${HEX('$4')} and record.workflow_id = old.workflow_id and record.run = old.run
  returning record.workflow_id, record.run, octet_length(value) as size
), logs as (
  delete from thermidor.log as log using old
  where id in ${HEX('$5')} and log.workflow_id = old.workflow_id and log.run = old.run
  returning id, log.workflow_id, log.run
), lines as (
  delete from thermidor.line as line using logs where line.log = logs.id returning logs.workflow_id, logs.run, octet_length(line) as size
)
select workflow_id as "workflowId", run, coalesce(sum(size), 0)::float8 as bytes
from old left join (select * from records union all select * from lines) as sizes using (workflow_id, run) group by workflow_id, run`;

/** A statement that removes a slice of a table's rows of runs. */
function sliceOf(table: string, size: string): string {
  return `
with gone as (
  delete from thermidor.${table} where ctid = any(array(select ctid from thermidor.${table} where ${OF_GIVEN} limit ${SLICE}))
  returning ${size} as size
)
select count(*)::float8 as count, coalesce(sum(size), 0)::float8 as bytes from gone`;
}

/** The same for what belongs to the logs of runs. */
function sliceBelow(table: string, logs: string, size: string): string {
  return `
with gone as (
  delete from thermidor.${table} where ctid = any(array(
    select part.ctid from thermidor.${logs} as log join thermidor.${table} as part on part.log = log.id where ${OF_GIVEN} limit ${SLICE}
  )) returning ${size} as size
)
select count(*)::float8 as count, coalesce(sum(size), 0)::float8 as bytes from gone`;
}

export const REMOVE_RECORDS = sliceOf('record', 'octet_length(value)');
export const REMOVE_LINES = sliceBelow('line', 'log', 'octet_length(line)');
export const REMOVE_LOGS = sliceOf('log', '0');
export const REMOVE_PIECES = sliceBelow('step_log_piece', 'step_log', 'length(bytes)');
export const REMOVE_STEP_LOGS = sliceOf('step_log', '0');

export const COUNT_LEDGER = `
select ((select coalesce(sum(octet_length(value)), 0) from thermidor.record where ${OF_GIVEN})
  + (select coalesce(sum(octet_length(line)), 0) from thermidor.log as log join thermidor.line on line.log = log.id where ${OF_GIVEN}))::float8 as bytes`;
export const COUNT_LOGS = `
select (select count(*) from thermidor.step_log where ${OF_GIVEN})::float8 as count,
  (select coalesce(sum(length(bytes)), 0) from thermidor.step_log as log join thermidor.step_log_piece as piece on piece.log = log.id
   where ${OF_GIVEN})::float8 as bytes`;

export const LEFT = 'select workflow_id as "workflowId", run from thermidor.run where removed_at is not null limit 100';
export const LEAVE = `delete from thermidor.run where removed_at is not null and ${OF_GIVEN}`;
export const REMOVE_OF_IDS = `
with gone as (
  select id from unnest($1::text[]) as id where not exists (select from thermidor.run where workflow_id = id)
), environments as (
  delete from thermidor.environment where workflow_id in (select id from gone) and written_at < ${TIME('$2')}
  returning octet_length(caller) as size
), links as (
  delete from thermidor.gate_link where workflow_id in (select id from gone) and put_at < ${TIME('$2')} returning octet_length(link) as size
)
select (select count(*) from environments)::float8 as environments, (select count(*) from links)::float8 as links,
  (select coalesce(sum(size), 0) from environments)::float8 as "environmentBytes",
  (select coalesce(sum(size), 0) from links)::float8 as "linkBytes"`;

const SIZE = (...tables: string[]): string => tables.map((table) => `pg_total_relation_size('thermidor.${table}')`).join(' + ');
const ROW = (part: string, counted: string, ...tables: string[]): string =>
  `select '${part}' as part, (select count(*) from thermidor.${counted})::float8 as count, (${SIZE(counted, ...tables)})::float8 as bytes`;
export const AMOUNTS = [
  ROW('runs', 'run', 'record', 'log', 'line', 'ended_run', 'ended_cost'),
  ROW('logs', 'step_log', 'step_log_piece'),
  ROW('environments', 'environment'),
  ROW('links', 'gate_link'),
].join('\nunion all\n');
