import type { DrainedHost, DrainedHosts } from '../drained-hosts';
import type { Database } from './database';

/** A row for each drained host, dated by the database. */
export class DrainedHostRows implements DrainedHosts {
  constructor(private readonly database: Database) {}

  async drain(host: string, by: string): Promise<void> {
    await this.database.query(DRAIN, [host, by]);
  }

  /** A statement whose answer is lost is repeated, and then finds nothing to remove: what was there before counts. */
  async undrain(host: string): Promise<boolean> {
    const was = (await this.list()).some((one) => one.host === host);
    await this.database.query(UNDRAIN, [host]);
    return was;
  }

  async list(): Promise<DrainedHost[]> {
    const rows = await this.database.query<{ host: string; drained_by: string; since: Date }>(LIST, []);
    return rows.map(({ host, drained_by: by, since }) => ({ host, by, since: new Date(since).toISOString() }));
  }
}

const DRAIN = 'insert into thermidor.drained_host (host, drained_by) values ($1, $2) on conflict do nothing';
const UNDRAIN = 'delete from thermidor.drained_host where host = $1';
const LIST = 'select host, drained_by, since from thermidor.drained_host order by host';
