import { X509Certificate } from 'node:crypto';
import { duration } from '../../plan/text/duration';
import { field } from '../../plan/text/json';
import { jsonIn } from '../../plan/text/json-text';
import type { Configuration } from '../settings/configuration';
import { tlsOptions } from '../settings/tls';
import { type Check, errorMessageOf } from './check';

const DAY_MS = 24 * 60 * 60 * 1000;
/** A date cannot be later, in seconds. */
const LAST_SECOND = 8.64e12;
const SOON_MS = 14 * DAY_MS;

/** Checks whether what opens the server's door has expired, or soon will: an API key that says so, and certificates. */
export function checkKeys({ apiKey, tls }: Pick<Configuration, 'apiKey' | 'tls'>, now = Date.now()): Check[] {
  const key = apiKey.value === undefined ? undefined : expiryOfToken(apiKey.value);
  const checks = key === undefined ? [] : expiry('API key', key, apiKey.source, now);
  if (tls.value === undefined) return checks;
  try {
    const { clientCertPair, serverRootCACertificate } = tlsOptions(tls.value);
    const certificates = [
      ...(clientCertPair ? [['client certificate', clientCertPair.crt] as const] : []),
      ...(serverRootCACertificate ? [['certificate of the authority', serverRootCACertificate] as const] : []),
    ];
    for (const [name, pem] of certificates)
      checks.push(...expiry(name, Date.parse(new X509Certificate(pem).validTo), tls.value.clientCertPath ?? tls.source, now));
    return checks;
  } catch (error) {
    return [...checks, { name: 'TLS', state: 'failed', says: errorMessageOf(error) }];
  }
}

function expiry(name: string, untilMs: number, source: string, now: number): Check[] {
  const left = untilMs - now;
  const hint = `get a new one: ${source}`;
  if (left <= 0) return [{ name, state: 'failed', says: `expired on ${new Date(untilMs).toISOString()}`, hint }];
  return left < SOON_MS ? [{ name, state: 'warning', says: `expires in ${duration(left)}`, hint }] : [];
}

/** Undefined if it is no JSON Web Token, or never expires. Its signature is the server's business. */
function expiryOfToken(token: string): number | undefined {
  const seconds = field(jsonIn(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')), 'exp');
  return typeof seconds === 'number' && Math.abs(seconds) < LAST_SECOND ? seconds * 1000 : undefined;
}
