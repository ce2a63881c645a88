import { randomUUID } from 'node:crypto';
import { sameJson } from '../../plan/text/json';
import type { Ledger, RunKey } from '../../records/ledger';

/** Notes that something begins which is not to be done twice, before it does. Says whether somebody has noted the same before. */
export async function beginOnce({ ledger }: { ledger: Ledger }, key: RunKey, name: string): Promise<boolean> {
  const mine = { by: randomUUID() };
  return !sameJson(await ledger.putIfAbsent(key, name, mine), mine);
}
