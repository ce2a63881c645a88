import { randomUUID } from 'node:crypto';
import type { Json } from '../../plan/text/json';
import { jsonText, parseJson } from '../../plan/text/json-text';
import { ACCOUNT } from '../accounts/account-log';
import type { RunKey } from '../ledger';
import { isSupersededClaim } from '../log-writer-claims';
import type { Database } from './database';
import { sqlState } from './database-problem';
import { keyDigest } from './key-digest';

/** What finds a row of a run by its name. */
export function rowId({ workflowId, run }: RunKey, name: string): Buffer {
  return keyDigest(workflowId, run, name);
}

/** A log as rows: its head, and a numbered row for each line. Only lines that count are ever written. */
export class LogRows {
  private readonly id: Buffer;

  constructor(
    private readonly database: Pick<Database, 'query'>,
    private readonly key: RunKey,
    private readonly name: string,
  ) {
    this.id = rowId(key, name);
  }

  /** Lines from a number on, and how many the log has by now. One in the place of a log that was removed may have fewer. */
  async read(from = 0): Promise<{ lines: Json[]; length: number }> {
    const [found] = await this.database.query<{ length: number; lines: string[] }>(READ, [this.id, from]);
    return { lines: (found?.lines ?? []).map((line) => parseJson(line)), length: found?.length ?? 0 };
  }

  /**
   * Adds lines, in order, and reads what others have added since. Fails with `worker.lost` if `writer` no longer owns the log.
   *
   * @param known how many lines are known; absent: none is asked for
   * @returns lines of others from `known` on, and the number of the first own one
   */
  async add(lines: readonly Json[], options: AddOptions = {}): Promise<{ others: Json[]; at: number }> {
    const { writer, isRelaxed = false, known } = options;
    const append = randomUUID();
    const texts = lines.map((line) => jsonText(line));
    const values = [this.id, texts.length, texts, append, isRelaxed, known ?? null];
    try {
      const { workflowId, run } = this.key;
      const isAccount = this.name.endsWith(ACCOUNT);
      const [added] =
        writer === undefined
          ? await this.database.query<Added>(isAccount ? ADD_TO_ACCOUNT : ADD, [...values, workflowId, run, this.name])
          : await this.database.query<Added>(isAccount ? ADD_TO_ACCOUNT_AS_WRITER : ADD_AS_WRITER, [
              ...[...values, writer],
              ...(isAccount ? [workflowId, run] : []),
            ]);
      if (!added) throw isSupersededClaim(this.name);
      return await this.since(known, added);
    } catch (error) {
      if (sqlState(error) !== UNIQUE_VIOLATION) throw error;
      // The answer of an earlier try was lost, and its lines were not.
      return await this.since(known, { at: await this.numberOf(append), others: [] });
    }
  }

  /** Makes this writer the only one. @returns the lines by then, to which nobody else adds any more */
  async claim(writer: string, scheduledAtMs?: number): Promise<Json[]> {
    const values = [this.id, this.key.workflowId, this.key.run, this.name, writer, scheduledAtMs ?? null];
    const [claimed] = await this.database.query<{ length: number; lines: string[] }>(CLAIM, values);
    if (!claimed) throw isSupersededClaim(this.name);
    const { length, lines } = claimed;
    // What was committed while the statement waited for its turn is not among its rows.
    return lines.length < length ? (await this.read()).lines : lines.map((line) => parseJson(line));
  }

  async requireOwn(writer: string): Promise<void> {
    if ((await this.database.query(OWNS, [this.id, writer])).length === 0) throw isSupersededClaim(this.name);
  }

  /** All that was committed before is on disk when it returns: the database keeps one order. */
  async sync(): Promise<void> {
    await this.database.query(TOUCH, [this.id]);
  }

  private async since(known: number | undefined, { at, others }: Added): Promise<{ others: Json[]; at: number }> {
    if (known === undefined) return { others: [], at };
    // What was committed while the statement waited for its turn is not among its rows.
    if (others.length < at - known) return { others: (await this.read(known)).lines.slice(0, at - known), at };
    return { others: others.map((line) => parseJson(line)), at };
  }

  private async numberOf(append: string): Promise<number> {
    const [found] = await this.database.query<{ at: number }>(NUMBER_OF, [append]);
    return found?.at ?? 0;
  }
}

interface AddOptions {
  writer?: string;
  /** A crash of the machine may cost the lines. */
  isRelaxed?: boolean;
  known?: number;
}

interface Added {
  at: number;
  others: string[];
}

const UNIQUE_VIOLATION = '23505';

const READ = `
select length::float8 as length,
       array(select line from thermidor.line where log = $1 and number >= $2::bigint order by number) as lines
from thermidor.log where id = $1`;

/** What both ways of adding share: `head` has the number of the first line. */
const LINES_AFTER_HEAD = `
added as (
  insert into thermidor.line (log, number, line, append)
  select $1, head.at + place - 1, text, case when place = 1 then $4::uuid end
  from head, unnest($3::text[]) with ordinality as given (text, place)
)
select at::float8 as at, case when $5::boolean then set_config('synchronous_commit', 'off', true) end,
       array(select line from thermidor.line where log = $1 and number >= $6::bigint order by number) as others
from head`;

const RUN = 'run as (insert into thermidor.run (workflow_id, run) values ($7, $8) on conflict do nothing)';

/**
 * A part of a statement whose `head` is the log: its run has more lines in its accounts, which no sums know. The statement that notes the
 * end of the run (`ended-rows.ts`) changes the same row, so of the two one waits for the other.
 *
 * @param lines how many
 * @param at when they came
 */
export function accounted({ workflowId, run, lines, at = 'clock_timestamp()' }: AccountedSql): string {
  return `accounted as (
  insert into thermidor.run as run (workflow_id, run, accounted, accounted_at, has_unsummed)
  select ${workflowId}, ${run}, ${lines}, ${at}, true from head
  on conflict (workflow_id, run) do update
  set accounted = run.accounted + excluded.accounted, accounted_at = greatest(run.accounted_at, excluded.accounted_at), has_unsummed = true
)`;
}
type AccountedSql = Record<'workflowId' | 'run' | 'lines', string> & { at?: string };

const HEAD = `
head as (
  insert into thermidor.log as log (id, workflow_id, run, name, length) values ($1, $7, $8, $9, $2::int)
  on conflict (id) do update set length = log.length + $2::int, added_at = clock_timestamp()
  returning length - $2::int as at
)`;
const HEAD_OF_WRITER = `
head as (
  update thermidor.log set length = length + $2::int, added_at = clock_timestamp() where id = $1 and writer = $7::uuid
  returning length - $2::int as at
)`;

const ADD = `with ${RUN}, ${HEAD}, ${LINES_AFTER_HEAD}`;
const ADD_AS_WRITER = `with ${HEAD_OF_WRITER}, ${LINES_AFTER_HEAD}`;
const ADD_TO_ACCOUNT = `
with ${HEAD}, ${accounted({ workflowId: '$7', run: '$8', lines: '$2::int' })}, ${LINES_AFTER_HEAD}`;
const ADD_TO_ACCOUNT_AS_WRITER = `
with ${HEAD_OF_WRITER}, ${accounted({ workflowId: '$8', run: '$9', lines: '$2::int' })}, ${LINES_AFTER_HEAD}`;

const CLAIM = `
with run as (insert into thermidor.run (workflow_id, run) values ($2, $3) on conflict do nothing),
head as (
  insert into thermidor.log as log (id, workflow_id, run, name, writer, scheduled_at_ms) values ($1, $2, $3, $4, $5::uuid, $6::float8)
  on conflict (id) do update set writer = excluded.writer, scheduled_at_ms = excluded.scheduled_at_ms
  where log.scheduled_at_ms is null or excluded.scheduled_at_ms is null or excluded.scheduled_at_ms >= log.scheduled_at_ms
  returning length
)
select length::float8 as length, array(select line from thermidor.line where log = $1 order by number) as lines,
       set_config('synchronous_commit', 'off', true)
from head`;

const OWNS = 'select 1 from thermidor.log where id = $1 and writer = $2::uuid';
const TOUCH = 'update thermidor.log set added_at = clock_timestamp() where id = $1';
const NUMBER_OF = 'select number::float8 as at from thermidor.line where append = $1::uuid';
