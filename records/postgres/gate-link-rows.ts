import type { GateLink } from '../../plan/people/notice';
import { bug } from '../../plan/run/failure';
import type { GateLinks } from '../gate-links';
import { gateLinkIn, isGateKey } from '../stored-gate-link';
import type { Database } from './database';

/**
 * Gates in a table, by the key that their messages carry. Who can read the table has the keys: they see all gates, and answer those that a
 * link may answer.
 */
export class GateLinkRows implements GateLinks {
  constructor(private readonly database: Database) {}

  async put(key: string, link: GateLink): Promise<void> {
    if (!isGateKey(key)) throw bug('a gate is put under what is not a key');
    await this.database.query(PUT, [key, JSON.stringify(link), link.run]);
  }

  async find(key: string): Promise<GateLink | undefined> {
    if (!isGateKey(key)) return undefined;
    const [found] = await this.database.query<{ link: string }>(FIND, [key]);
    return found && gateLinkIn(found.link);
  }
}

const PUT = `
insert into thermidor.gate_link (key, link, workflow_id) values ($1, $2, $3)
on conflict (key) do update set link = excluded.link, put_at = clock_timestamp()`;
const FIND = 'select link from thermidor.gate_link where key = $1';
