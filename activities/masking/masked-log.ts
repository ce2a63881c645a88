import type { Json } from '../../plan/text/json';
import type { Log } from '../log';
import type { Secrets } from '../ports';
import { ownSecrets } from '../run/run-secrets';

/** The worker's log without secrets: its own, and those that runs have had it resolve. */
export function maskedLog(log: Log, secrets: Secrets): Log {
  return (level, message, fields) => {
    const { mask, maskJson } = ownSecrets({ secrets });
    // What is logged is written as JSON.
    log(level, mask(message), fields && Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, maskJson(value as Json)])));
  };
}
