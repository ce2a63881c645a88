import { randomUUID } from 'node:crypto';
import type { CostCategory } from '../../plan/brief/category';
import { field } from '../../plan/text/json';
import { jsonIn } from '../../plan/text/json-text';
import { type GrantEntry, type GrantInForce, grantsAfter, type LastingGrant, type LastingGrants, type Revocation } from '../lasting-grants';
import { grantEntriesIn } from '../stored-grant';
import type { Database } from './database';
import { keyDigest } from './key-digest';

/** Grants in a table, a row for each entry. */
export class GrantRows implements LastingGrants {
  constructor(private readonly database: Database) {}

  async add(grant: LastingGrant): Promise<void> {
    await this.append({ kind: 'granted', ...grant }, grant.id);
  }

  async revoke(revocation: Revocation): Promise<void> {
    // Executed a second time it would end what was granted since, so it has an id, too.
    await this.append({ kind: 'revoked', ...revocation }, randomUUID());
  }

  async inForce(project: string): Promise<CostCategory[]> {
    return (await this.list(project)).map(({ category }) => category);
  }

  async list(project?: string): Promise<GrantInForce[]> {
    const projects = new Map<string, GrantEntry[]>();
    for (const { entry } of await this.database.query<{ entry: string }>(LIST, [project === undefined ? null : keyDigest(project)])) {
      const stored = jsonIn(entry);
      const of = field(stored, 'project');
      if (typeof of === 'string') projects.set(of, [...(projects.get(of) ?? []), ...grantEntriesIn(stored, project ?? of)]);
    }
    return [...projects.keys()].sort().flatMap((one) => grantsAfter(projects.get(one) ?? []));
  }

  private async append(entry: GrantEntry, id: string): Promise<void> {
    await this.database.query(APPEND, [keyDigest(entry.project), keyDigest(entry.project, entry.kind, id), JSON.stringify(entry)]);
  }
}

const APPEND = 'insert into thermidor.grant_entry (project, id, entry) values ($1, $2, $3) on conflict do nothing';
const LIST = 'select entry from thermidor.grant_entry where $1::bytea is null or project = $1 order by number';
