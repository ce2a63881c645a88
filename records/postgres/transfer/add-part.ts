import { createHash, randomUUID } from 'node:crypto';
import { field } from '../../../plan/text/json';
import { jsonIn } from '../../../plan/text/json-text';
import { unreachable } from '../../../plan/unreachable';
import { ACCOUNT } from '../../accounts/account-log';
import type { KeyRing } from '../../sealing/key-ring';
import { gateLinkIn } from '../../stored-gate-link';
import { type LogPart, movedCost, type StepLogPart, type StorePart } from '../../transfer/store-part';
import { ArtifactRows } from '../artifact-rows';
import type { Database } from '../database';
import { EndedRows } from '../ended-rows';
import { keyDigest } from '../key-digest';
import { accounted, rowId } from '../log-rows';
import { RunRows } from '../run-rows';
import type { SqlValue } from '../sql';

/** Adds a part of another store, whole or not at all, unless there is one of its name. */
export async function addPart(database: Database, part: StorePart, keys: KeyRing): Promise<void> {
  switch (part.kind) {
    case 'content':
      await new ArtifactRows(database, part.of, keys).put(part.bytes, { mediaType: '' });
      return;
    case 'record': {
      const { run, name, value } = part;
      await database.query(RECORD, [rowId(run, name), run.workflowId, run.run, name, value]);
      return;
    }
    case 'log':
      await database.query(part.name.endsWith(ACCOUNT) ? ACCOUNT_LOG : LOG, logValues(part));
      return;
    case 'step-log':
      await addStepLog(database, part);
      return;
    case 'environment':
      await database.query(ENVIRONMENT, [part.workflowId, part.caller]);
      return;
    case 'link':
      await database.query(LINK, [part.key, part.link, gateLinkIn(part.link)?.run ?? '']);
      return;
    case 'grants': {
      const ids = part.entries.map((entry, at) => grantId(part.project, entry, at).toString('hex'));
      await database.query(GRANTS, [keyDigest(part.project), ids, part.entries]);
      return;
    }
    case 'refused':
      await database.query(REFUSED, [part.answers.map((answer, at) => uuidOf(`${at} ${answer}`)), part.answers]);
      return;
    case 'end':
      await new EndedRows(database).note(part.end, part.cost && (await movedCost(new RunRows(database), part.end, part.cost)));
      return;
    default:
      unreachable(part);
  }
}

/** Writes a part in the place of the one of its name, whole or not at all. */
export async function replacePart(database: Database, part: StorePart, keys: KeyRing): Promise<void> {
  switch (part.kind) {
    case 'record':
      await database.query(NEW_RECORD, [rowId(part.run, part.name), part.value]);
      return;
    case 'log':
      await database.query(NEW_LINES, [rowId(part.run, part.name), part.lines]);
      return;
    case 'step-log':
      await replacePieces(database, part);
      return;
    case 'environment':
      await database.query(NEW_ENVIRONMENT, [part.workflowId, part.caller]);
      return;
    case 'link':
      await database.query(NEW_LINK, [part.key, part.link]);
      return;
    default:
      await addPart(database, part, keys);
  }
}

async function replacePieces(database: Database, { run, name, pieces }: StepLogPart): Promise<void> {
  const id = rowId(run, name);
  const last = pieces.at(-1);
  await database.transaction(async (sql) => {
    await sql.query(REMOVE_PIECES, [id]);
    await sql.query(NEW_LENGTH, [id, last ? last.start + last.bytes.byteLength : 0]);
    for (const { start, bytes } of pieces.flatMap(cut)) await sql.query(PIECE, [id, start, bytes, randomUUID()]);
  });
}

/** The writer has ended with its worker; the next one claims the log as ever. */
function logValues({ run, name, lines, claimed, addedAtMs }: LogPart): SqlValue[] {
  const writer = claimed === undefined ? null : randomUUID();
  return [rowId(run, name), run.workflowId, run.run, name, writer, claimed?.scheduledAtMs ?? null, lines, addedAtMs];
}

async function addStepLog(database: Database, { run, name, pieces, addedAtMs }: StepLogPart): Promise<void> {
  const id = rowId(run, name);
  const last = pieces.at(-1);
  const length = last ? last.start + last.bytes.byteLength : 0;
  await database.transaction(async (sql) => {
    const made = await sql.query(STEP_LOG, [id, run.workflowId, run.run, JSON.stringify(name), length, addedAtMs]);
    if (made.length === 0) return;
    for (const { start, bytes } of pieces.flatMap(cut)) await sql.query(PIECE, [id, start, bytes, randomUUID()]);
  });
}

/** About as much as a writer adds at once: the end of a log is dropped piece by piece. */
const PIECE_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

function cut({ start, bytes }: { start: number; bytes: Buffer }): { start: number; bytes: Buffer }[] {
  const pieces: { start: number; bytes: Buffer }[] = [];
  for (let at = 0; at < bytes.byteLength; ) {
    const before = bytes.subarray(at, at + PIECE_BYTES).lastIndexOf(NEWLINE);
    const end = before >= 0 ? at + before + 1 : bytes.indexOf(NEWLINE, at) + 1;
    pieces.push({ start: start + at, bytes: bytes.subarray(at, end) });
    at = end;
  }
  return pieces;
}

/** As `GrantRows` has it of an answer; any of a revocation. */
function grantId(project: string, entry: string, at: number): Buffer {
  const stored = jsonIn(entry);
  const id = field(stored, 'id');
  return typeof id === 'string' ? keyDigest(project, 'granted', id) : keyDigest(project, 'revoked', `${at} ${entry}`);
}

/** The same for the same text, so that a statement that is repeated adds nothing. */
function uuidOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

const RUN = 'run as (insert into thermidor.run (workflow_id, run) values ($2, $3) on conflict do nothing)';
const RELAXED = `select set_config('synchronous_commit', 'off', true)`;
const RECORD = `
with ${RUN}, record as (
  insert into thermidor.record (id, workflow_id, run, name, value) values ($1, $2, $3, $4, $5) on conflict do nothing
)
${RELAXED}`;
const LOG_AND_LINES = `
head as (
  insert into thermidor.log (id, workflow_id, run, name, writer, scheduled_at_ms, length, added_at)
  values ($1, $2, $3, $4, $5::uuid, $6::float8, cardinality($7::text[]), to_timestamp($8::float8 / 1000))
  on conflict do nothing returning id
), added as (
  insert into thermidor.line (log, number, line)
  select head.id, place - 1, text from head, unnest($7::text[]) with ordinality as given (text, place)
)`;
const ACCOUNTED = { workflowId: '$2', run: '$3', lines: 'cardinality($7::text[])', at: 'to_timestamp($8::float8 / 1000)' };
const LOG = `with ${RUN}, ${LOG_AND_LINES} ${RELAXED}`;
const ACCOUNT_LOG = `with ${LOG_AND_LINES}, ${accounted(ACCOUNTED)} ${RELAXED}`;
const STEP_LOG = `
insert into thermidor.step_log (id, workflow_id, run, name, length, added_at)
values ($1, $2, $3, $4, $5::bigint, to_timestamp($6::float8 / 1000)) on conflict do nothing returning 1`;
const PIECE = 'insert into thermidor.step_log_piece (log, start, bytes, append) values ($1, $2::bigint, $3, $4::uuid)';
const NEW_RECORD = 'update thermidor.record set value = $2 where id = $1';
const NEW_LINES = `
update thermidor.line as line set line = given.text
from unnest($2::text[]) with ordinality as given (text, place) where line.log = $1 and line.number = given.place - 1`;
const NEW_ENVIRONMENT = 'update thermidor.environment set caller = $2 where workflow_id = $1';
const NEW_LINK = 'update thermidor.gate_link set link = $2 where key = $1';
const REMOVE_PIECES = 'delete from thermidor.step_log_piece where log = $1';
const NEW_LENGTH = 'update thermidor.step_log set length = $2::bigint where id = $1';
const ENVIRONMENT = 'insert into thermidor.environment (workflow_id, caller) values ($1, $2) on conflict do nothing';
const LINK = 'insert into thermidor.gate_link (key, link, workflow_id) values ($1, $2, $3) on conflict do nothing';
const GRANTS = `
insert into thermidor.grant_entry (project, id, entry)
select $1, decode(id, 'hex'), entry from unnest($2::text[], $3::text[]) with ordinality as given (id, entry, place) order by place
on conflict do nothing`;
const REFUSED = `
insert into thermidor.refused_answer (id, answer)
select id::uuid, answer from unnest($1::text[], $2::text[]) with ordinality as given (id, answer, place) order by place
on conflict do nothing`;
