import { randomUUID } from 'node:crypto';
import type { ControlKind } from '../../plan/run/artifact';
import { contentDigest } from '../stored-content';
import type { Database } from './database';

const CHUNK_BYTES = 1024 * 1024;

/** Others need connections, too. */
const UPLOADS_AT_ONCE = 2;

/**
 * Large content in chunks. An upload is one transaction, of which the row of the content is the last statement, so a writer that is killed
 * leaves nothing. Each upload has chunks of its own, so that nobody waits until another's is over, or for a process that is stopped.
 */
export class UploadedContent {
  private uploads = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly database: Database,
    private readonly kind: ControlKind | 'output',
  ) {}

  async put(sha256: Buffer, bytes: Buffer): Promise<void> {
    const chunks: Buffer[] = [];
    for (let at = 0; at < bytes.byteLength; at += CHUNK_BYTES) chunks.push(bytes.subarray(at, at + CHUNK_BYTES));
    await this.begin();
    try {
      const digests: string[] = [];
      for (const chunk of chunks) digests.push(await contentDigest(chunk));
      await this.database.transaction(async (sql) => {
        const [there] = await sql.query<{ upload: string | null; whole: boolean }>(TOUCH, [this.kind, sha256, digests]);
        if (there?.whole) return;
        const upload = randomUUID();
        for (const [number, chunk] of chunks.entries()) await sql.query(ADD, [upload, number, chunk]);
        const damaged = there?.upload ?? null;
        const put = await sql.query(PUT, [this.kind, sha256, upload, damaged]);
        const unused = put.length === 0 ? upload : damaged;
        if (unused !== null) await sql.query(REMOVE, [unused]);
      });
    } finally {
      this.end();
    }
  }

  /** What its chunks have together; undefined if some of them are gone. */
  async read(upload: string, sizeBytes: number): Promise<Buffer | undefined> {
    const content = Buffer.allocUnsafe(sizeBytes);
    let read = 0;
    for (let number = 0; read < sizeBytes; number += 1) {
      const [chunk] = await this.database.query<{ text: string }>(READ, [upload, number]);
      if (!chunk) return undefined;
      read += content.write(chunk.text, read, 'base64');
    }
    return content;
  }

  private async begin(): Promise<void> {
    if (this.uploads >= UPLOADS_AT_ONCE) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.uploads += 1;
  }

  private end(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.uploads -= 1;
  }
}

/** Makes it young if every chunk is there with its digest. What is removed at the same moment counts as not there. */
const TOUCH = `
with there as (
  select upload, cardinality($3::text[]) = (
    select count(*) from unnest($3::text[]) with ordinality as given (digest, place)
    join thermidor.content_chunk as chunk on chunk.upload = content.upload and chunk.number = given.place - 1
    where encode(sha256(chunk.bytes), 'hex') = given.digest
  ) as whole
  from thermidor.content as content where kind = $1 and sha256 = $2
), touched as (
  update thermidor.content set put_at = clock_timestamp() where kind = $1 and sha256 = $2 and (select whole from there)
  returning upload
)
select upload, whole and exists (select from touched where touched.upload = there.upload) as whole from there`;

const ADD = 'insert into thermidor.content_chunk (upload, number, bytes) values ($1::uuid, $2::int, $3::bytea)';

/** Only in the place of what was seen damaged: what another has put meanwhile is whole. */
const PUT = `
insert into thermidor.content as content (kind, sha256, upload) values ($1, $2, $3::uuid)
on conflict (kind, sha256) do update set upload = excluded.upload, bytes = null, put_at = clock_timestamp()
where content.upload is not distinct from $4::uuid
returning 1`;

const REMOVE = 'delete from thermidor.content_chunk where upload = $1::uuid';

/** Half the size of what the driver would be sent otherwise. */
const READ = `select encode(bytes, 'base64') as text from thermidor.content_chunk where upload = $1::uuid and number = $2::int`;
