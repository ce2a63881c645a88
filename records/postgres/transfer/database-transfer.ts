import { presenceTimes } from '../../host-presence';
import { KeyRing } from '../../sealing/key-ring';
import type { StoreTransfer } from '../../transfer/store-transfer';
import { Database } from '../database';
import { IdentityRows } from '../identity-rows';
import { migrateStore } from '../migrate-store';
import { type PostgresPlace, shownPlace } from '../postgres-place';
import { refused, schemaVersion } from '../schema-version';
import { addPart, replacePart } from './add-part';
import { databaseParts } from './database-parts';

/** A store on PostgreSQL as it moves to another, or is made from one. */
export function databaseTransfer(place: PostgresPlace, keys = new KeyRing()): StoreTransfer {
  const database = new Database(place);
  const unchecked = new Database(place, async () => '');
  const identity = new IdentityRows(database);
  return {
    get shown() {
      return shownPlace(unchecked.at);
    },
    identity,
    async hostsAtWork() {
      const hosts = await database.query<{ host: string }>(AT_WORK, [presenceTimes().deadAfterMs]);
      return hosts.map(({ host }) => host);
    },
    async check(as) {
      const version = await unchecked.transaction(schemaVersion);
      if (version === 0 && as === 'from') throw refused(unchecked.at, 'has no tables: nothing was ever stored there');
      // Tables that nobody uses yet are no change that anybody could miss.
      if (as === 'to') await migrateStore(place);
    },
    parts: () => databaseParts(database, keys),
    add: (part) => addPart(database, part, keys),
    replace: (part) => replacePart(database, part, keys),
    async settle() {
      await database.query(SETTLE);
    },
    async join(installation) {
      await database.query(JOIN, [installation]);
    },
    key: async () => undefined,
    takeKey: async () => undefined,
    async close() {
      await Promise.all([database.close(), unchecked.close()]);
    },
  };
}

const AT_WORK = `
select distinct host from thermidor.worker
where not thermidor.is_silent(seen_at, $1::float8 * interval '1 ms') order by host`;
const SETTLE = `select pg_logical_emit_message(true, 'thermidor', '')`;
const JOIN = `insert into thermidor.store (name, value) values ('installation', $1) on conflict do nothing`;
