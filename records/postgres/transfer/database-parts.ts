import { CONTROL_KINDS } from '../../../plan/run/artifact';
import { ThermidorFailure } from '../../../plan/run/failure';
import { field } from '../../../plan/text/json';
import { jsonIn } from '../../../plan/text/json-text';
import type { RunKey } from '../../ledger';
import type { KeyRing } from '../../sealing/key-ring';
import { callerIn } from '../../stored-caller';
import { gateLinkIn } from '../../stored-gate-link';
import { grantTexts } from '../../transfer/grant-texts';
import { endPart, type StorePart } from '../../transfer/store-part';
import { ArtifactRows } from '../artifact-rows';
import type { Database } from '../database';
import { notedEnds } from '../ended-rows';

/** Every part of a database, table by table and page by page, in the order of their keys. */
export async function* databaseParts(database: Database, keys: KeyRing): AsyncGenerator<StorePart> {
  yield* contents(database, keys);
  for await (const row of pages<NamedRow & { value: string }>(database, RECORDS)) {
    yield { kind: 'record', run: runOf(row), name: row.name, value: row.value };
  }
  yield* logs(database);
  yield* stepLogs(database);
  for (const { workflow_id: workflowId, caller } of await database.query<{ workflow_id: string; caller: string }>(ENVIRONMENTS)) {
    if (!callerIn(caller))
      throw new ThermidorFailure('store.unavailable', `the stored environment of ${workflowId} is none; remove its row`);
    yield { kind: 'environment', workflowId, caller };
  }
  // A text that holds no gate counts as missing.
  for (const { key, link } of await database.query<{ key: string; link: string }>(LINKS)) {
    if (gateLinkIn(link)) yield { kind: 'link', key, link };
  }
  yield* grants(database);
  const answers = (await database.query<{ answer: string }>(REFUSED)).map(({ answer }) => answer);
  if (answers.length > 0) yield { kind: 'refused', answers };
  for await (const noted of notedEnds(database)) yield endPart(noted);
}

async function* contents(database: Database, keys: KeyRing): AsyncGenerator<StorePart> {
  for (const of of ['output', ...CONTROL_KINDS] as const) {
    const rows = new ArtifactRows(database, of, keys);
    let last = '';
    for (;;) {
      const digests = await database.query<{ sha256: string }>(CONTENTS, [of, Buffer.from(last, 'hex')]);
      for (const { sha256 } of digests) yield { kind: 'content', of, sha256, bytes: await rows.get({ sha256 }) };
      last = digests.at(-1)?.sha256 ?? '';
      if (last === '') break;
    }
  }
}

interface NamedRow {
  id: Buffer;
  workflow_id: string;
  run: string;
  name: string;
}

interface LogRow extends NamedRow {
  writer: string | null;
  scheduled_at_ms: number | null;
  added_at_ms: number;
}

async function* logs(database: Database): AsyncGenerator<StorePart> {
  for await (const row of pages<LogRow>(database, LOGS)) {
    const lines = (await database.query<{ line: string }>(LINES, [row.id])).map(({ line }) => line);
    if (lines.length === 0 && row.writer === null) continue;
    const scheduledAtMs = row.scheduled_at_ms;
    const claimed = row.writer === null ? {} : { claimed: scheduledAtMs === null ? {} : { scheduledAtMs } };
    yield { kind: 'log', run: runOf(row), name: row.name, lines, ...claimed, addedAtMs: row.added_at_ms };
  }
}

async function* stepLogs(database: Database): AsyncGenerator<StorePart> {
  for await (const row of pages<NamedRow & { added_at_ms: number }>(database, STEP_LOGS)) {
    const pieces = await database.query<{ start: number; bytes: Buffer }>(PIECES, [row.id]);
    if (pieces.length === 0) continue;
    yield { kind: 'step-log', run: runOf(row), name: String(jsonIn(row.name)), pieces, addedAtMs: row.added_at_ms };
  }
}

async function* grants(database: Database): AsyncGenerator<StorePart> {
  const projects = new Map<string, ReturnType<typeof jsonIn>[]>();
  for (const { entry } of await database.query<{ entry: string }>(GRANTS)) {
    const stored = jsonIn(entry);
    const project = field(stored, 'project');
    if (typeof project === 'string') projects.set(project, [...(projects.get(project) ?? []), stored]);
  }
  for (const [project, stored] of projects) {
    yield {
      kind: 'grants',
      project,
      entries: grantTexts(
        stored.flatMap((entry) => (entry === undefined ? [] : [entry])),
        project,
      ),
    };
  }
}

/** The rows of a statement that gets the last id and gives those after it. */
async function* pages<Row extends { id: Buffer }>(database: Database, sql: string): AsyncGenerator<Row> {
  let last: Buffer | undefined = Buffer.alloc(0);
  while (last) {
    const rows: Row[] = await database.query<Row>(sql, [last]);
    yield* rows;
    last = rows.at(-1)?.id;
  }
}

function runOf({ workflow_id: workflowId, run }: NamedRow): RunKey {
  return { workflowId, run };
}

const PAGE = 500;
const AFTER_LAST = `where id > $1::bytea order by id limit ${PAGE}`;
const ADDED_AT = '(extract(epoch from added_at) * 1000)::float8 as added_at_ms';
const CONTENTS = `
select encode(sha256, 'hex') as sha256 from thermidor.content where kind = $1 and sha256 > $2::bytea order by content.sha256 limit ${PAGE}`;
const RECORDS = `select id, workflow_id, run, name, value from thermidor.record ${AFTER_LAST}`;
const LOGS = `select id, workflow_id, run, name, writer, scheduled_at_ms, ${ADDED_AT} from thermidor.log ${AFTER_LAST}`;
const LINES = 'select line from thermidor.line where log = $1 order by number';
const STEP_LOGS = `select id, workflow_id, run, name, ${ADDED_AT} from thermidor.step_log ${AFTER_LAST}`;
const PIECES = 'select start::float8 as start, bytes from thermidor.step_log_piece where log = $1 order by start';
const ENVIRONMENTS = 'select workflow_id, caller from thermidor.environment';
const LINKS = 'select key, link from thermidor.gate_link';
const GRANTS = 'select entry from thermidor.grant_entry order by number';
const REFUSED = 'select answer from thermidor.refused_answer order by number';
