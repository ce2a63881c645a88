import { randomUUID } from 'node:crypto';
import { ThermidorFailure } from '../../plan/run/failure';
import { isFolderGone } from '../directory/folder-gone';
import type { StoreIdentity } from '../store-identity';
import type { Database } from './database';

/**
 * In a table, a row for each thing that a store has one of. The id of the store is made with its tables: it is the same from all hosts, by
 * whatever name or address they reach the database, and it moves with a backup.
 */
export class IdentityRows implements StoreIdentity {
  private id: string | undefined;

  constructor(private readonly database: Database) {}

  async storeId(): Promise<string> {
    this.id ??= await storedFirst(this.database, 'id', randomUUID);
    return `postgres:${this.id}`;
  }

  async isGone(storeId: string): Promise<boolean> {
    return isFolderGone(storeId);
  }

  async installation(): Promise<string> {
    return await storedFirst(this.database, 'installation', randomUUID);
  }

  async knownInstallation(): Promise<string | undefined> {
    return await storedValue(this.database, 'installation');
  }

  /** A process has no part of a database at hand, so there is nothing to look at: each statement fails by itself if the tables are gone. */
  check(): void {}
}

/** The value of that name that was put first, by whomever. */
async function storedFirst(database: Database, name: string, make: () => string): Promise<string> {
  const there = await storedValue(database, name);
  if (there !== undefined) return there;
  await database.query(PUT, [name, make()]);
  const kept = await storedValue(database, name);
  if (kept !== undefined) return kept;
  throw new ThermidorFailure('store.unavailable', `the row '${name}' of the table store was removed as it was made`);
}

async function storedValue(database: Database, name: string): Promise<string | undefined> {
  const [found] = await database.query<{ value: string }>(GET, [name]);
  return found?.value;
}

const GET = 'select value from thermidor.store where name = $1';
const PUT = 'insert into thermidor.store (name, value) values ($1, $2) on conflict do nothing';
