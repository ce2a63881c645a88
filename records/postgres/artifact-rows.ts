import { ARTIFACT_LIMIT_BYTES, type ArtifactRef, type ControlKind } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import type { ArtifactBatch, ArtifactStore, OutputDigest } from '../artifact-store';
import { ContentSeal } from '../sealing/content-seal';
import { KeyRing } from '../sealing/key-ring';
import { describeContent, requireDigest } from '../stored-content';
import type { Database } from './database';
import { UploadedContent } from './uploaded-content';

/** Content up to this size is in its row, and is put by one statement. */
const ROW_BYTES = 1024 * 1024;

/**
 * Outputs, or one kind of control content, in a table by their digests.
 *
 * Invariants: 1. a row exists only with its whole content; 2. content is checked against its digest when it is read; 3. putting content
 * again repairs it if it is damaged, and makes it young, to within an hour; 4. nobody waits for another's upload. Retried by Temporal:
 * `store.unavailable`; nothing else.
 */
export class ArtifactRows implements ArtifactStore {
  private readonly uploaded: UploadedContent;
  private readonly kept: ContentSeal;

  constructor(
    private readonly database: Database,
    private readonly kind: ControlKind | 'output' = 'output',
    keys = new KeyRing(),
    private readonly limitBytes = ARTIFACT_LIMIT_BYTES,
  ) {
    this.kept = new ContentSeal(keys, kind);
    this.uploaded = new UploadedContent(database, kind);
  }

  async put(content: string | Uint8Array, as: { mediaType: string; name?: string }): Promise<ArtifactRef> {
    const { bytes, ref } = await describeContent(content, as, this.limitBytes - this.kept.growsBytes);
    await this.write(ref.sha256, bytes, false);
    return ref;
  }

  batch(): ArtifactBatch {
    const there = new Set<string>();
    let isSynced = true;
    return {
      put: async (content, as) => {
        const { bytes, ref } = await describeContent(content, as, this.limitBytes - this.kept.growsBytes);
        if (there.has(ref.sha256)) return ref;
        isSynced = false;
        await this.write(ref.sha256, bytes, true);
        there.add(ref.sha256);
        return ref;
      },
      sync: async () => {
        if (!isSynced) await this.database.query(SYNC);
        isSynced = true;
      },
    };
  }

  async get({ sha256 }: OutputDigest): Promise<Buffer> {
    const [row] = await this.database.query<ContentRow>(GET, [this.kind, idOf(sha256)]);
    const stored = row?.bytes ?? (row?.upload ? await this.uploaded.read(row.upload, row.sizeBytes) : undefined);
    if (!stored) throw new ThermidorFailure('artifact.missing', `artifact ${sha256} is not in the database`, { sha256 });
    const content = await this.kept.open(stored, sha256);
    if (!content) {
      throw new ThermidorFailure('artifact.missing', `artifact ${sha256} is damaged in the database: its content has another digest`, {
        sha256,
      });
    }
    return content;
  }

  async has({ sha256 }: OutputDigest): Promise<boolean> {
    return (await this.database.query(HAS, [this.kind, idOf(sha256)])).length > 0;
  }

  async locate(): Promise<undefined> {
    return undefined;
  }

  private async write(sha256: string, content: Buffer, isRelaxed: boolean): Promise<void> {
    const bytes = this.kept.seal(content, sha256);
    if (bytes.byteLength > ROW_BYTES) await this.uploaded.put(idOf(sha256), bytes);
    else await this.database.query(PUT, [this.kind, idOf(sha256), bytes, isRelaxed]);
  }
}

interface ContentRow {
  bytes: Buffer | null;
  upload: string | null;
  sizeBytes: number;
}

function idOf(sha256: string): Buffer {
  return Buffer.from(requireDigest(sha256), 'hex');
}

const GET = `
select bytes, upload, (select coalesce(sum(length(chunk.bytes)), 0)::float8 from thermidor.content_chunk as chunk where upload = content.upload) as "sizeBytes"
from thermidor.content as content where kind = $1 and sha256 = $2`;

const HAS = 'select from thermidor.content where kind = $1 and sha256 = $2';

/**
 * A message in the write-ahead log makes the commit wait for the disk, and so for all that was committed before, without a lock on a row
 * that many put at once.
 */
const SYNC = `select pg_logical_emit_message(true, 'thermidor', '')`;

/** A value that is stored outside its row is not written anew if it stays as it is. */
const PUT = `
with young as (
  select from thermidor.content where kind = $1 and sha256 = $2 and bytes = $3::bytea and put_at > clock_timestamp() - interval '1 hour'
), put as (
  insert into thermidor.content as content (kind, sha256, bytes) select $1, $2, $3::bytea where not exists (select from young)
  on conflict (kind, sha256) do update set
    bytes = case when content.bytes = excluded.bytes then content.bytes else excluded.bytes end,
    upload = null, put_at = clock_timestamp()
)
select case when $4::boolean then set_config('synchronous_commit', 'off', true)
            else pg_logical_emit_message(true, 'thermidor', '')::text end`;
