import { type Amount, byKind, CONTENT_KINDS, type ContentName, NOTHING, type OldContent, plus } from '../old-content';
import type { Database } from './database';

/**
 * Removal of content in tables. A row is judged and removed by one statement: a `put` that comes meanwhile waits for it and adds the
 * content
 * again, or was first, and the statement finds the row young.
 */
export class OldContentRows implements OldContent {
  constructor(private readonly database: Pick<Database, 'query'>) {}

  async nowMs(): Promise<number> {
    const [found] = await this.database.query<{ now: number }>(NOW);
    return found?.now ?? 0;
  }

  async *before(beforeMs: number): AsyncGenerator<ContentName[]> {
    for (const kind of CONTENT_KINDS) yield* this.pages(BEFORE, kind, beforeMs);
  }

  async *since(kind: ContentName['kind'], sinceMs: number): AsyncGenerator<ContentName[]> {
    yield* this.pages(SINCE, kind, sinceMs);
  }

  private async *pages(sql: string, kind: ContentName['kind'], momentMs: number): AsyncGenerator<ContentName[]> {
    for (let last: string | undefined = ''; last !== undefined; ) {
      const page: ContentName[] = await this.database.query<ContentName>(sql, [kind, momentMs, last]);
      if (page.length > 0) yield page;
      last = page.at(-1)?.sha256;
    }
  }

  during(work: () => Promise<void>): Promise<void> {
    return work();
  }

  async remove(names: readonly ContentName[], beforeMs: number, dryRun: boolean): Promise<Amount> {
    let removed = NOTHING;
    for (const [kind, digests] of byKind(names)) {
      const [found] = await this.database.query<Amount>(dryRun ? COUNT : REMOVE, [kind, digests, beforeMs]);
      removed = plus(removed, found ?? NOTHING);
    }
    return removed;
  }

  async amount(): Promise<Amount> {
    return (await this.database.query<Amount>(AMOUNT))[0] ?? NOTHING;
  }
}

const NOW = 'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now';

function page(comparison: '<' | '>='): string {
  return `
select kind, encode(sha256, 'hex') as sha256 from thermidor.content
where kind = $1 and put_at ${comparison} to_timestamp($2::float8 / 1000) and sha256 > decode($3, 'hex')
order by content.sha256 limit 500`;
}
const BEFORE = page('<');
const SINCE = page('>=');

const OLD = `
kind = $1 and sha256 in (select decode(digest, 'hex') from unnest($2::text[]) as digest) and put_at < to_timestamp($3::float8 / 1000)`;

const COUNT = `
select count(*)::float8 as count, coalesce(sum(coalesce(length(bytes), (
  select sum(length(chunk.bytes)) from thermidor.content_chunk as chunk where upload = content.upload
))), 0)::float8 as bytes
from thermidor.content as content where ${OLD}`;

const REMOVE = `
with gone as (delete from thermidor.content where ${OLD} returning length(bytes) as size, upload),
chunks as (
  delete from thermidor.content_chunk as chunk using gone where chunk.upload = gone.upload returning length(chunk.bytes) as size
)
select (select count(*) from gone)::float8 as count,
       (select coalesce(sum(size), 0) from (select size from gone union all select size from chunks) as sizes)::float8 as bytes`;

const AMOUNT = `
select (select count(*) from thermidor.content)::float8 as count,
       (pg_total_relation_size('thermidor.content') + pg_total_relation_size('thermidor.content_chunk'))::float8 as bytes`;
