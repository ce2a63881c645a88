import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { ConnectionOptions } from '@temporalio/client';
import { defined } from '../plan/defined';
import { ClientProblem } from './client-problem';

type Tls = NonNullable<ConnectionOptions['tls']>;

/** How a connection was tried. */
interface Tried {
  /** `host:port` */
  address: string;
  tls?: Tls;
  apiKey?: string;
}

const LIMIT_MS = 3000;
const HINTS: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'set TEMPORAL_TLS_SERVER_NAME to the name in its certificate',
  CERT_HAS_EXPIRED: 'renew the certificate of the server',
  CERT_NOT_YET_VALID: 'check the clocks of both hosts',
};
const AUTHORITY = 'set TEMPORAL_TLS_SERVER_CA_CERT_PATH to the certificate of the authority that signed it';
const OURS = 'set TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH to a certificate that it accepts';

/**
 * The problem of a connection that was not made: a better one if TLS is its cause. Both the client and the worker of Temporal hide that,
 * each in its own way, so a handshake is tried here. Other problems stay as they are.
 */
export async function ofTls(problem: ClientProblem, { address, tls, apiKey }: Tried): Promise<ClientProblem> {
  if (problem.code !== 'server.unreachable') return problem;
  // A key alone turns TLS on, in the client as in the worker.
  const ours = tls ?? apiKey !== undefined;
  const met = await handshake(address, ours);
  const trouble = ours === false ? withoutOurs(met) : withOurs(met);
  if (trouble === undefined) return problem;
  const { why, hint } = trouble;
  return new ClientProblem('server.unreachable', `the Temporal server at ${address} ${why}`, { hint, cause: problem });
}

/** How a handshake ended: `done` if both sides accepted each other; `nobody` if there was none to end. */
type Met = { kind: 'done' } | { kind: 'nobody' } | { kind: 'failed'; code: string; text: string };

interface Trouble {
  why: string;
  hint: string;
}

function withoutOurs(met: Met): Trouble | undefined {
  const speaksTls = met.kind === 'done' || (met.kind === 'failed' && met.code.includes('ALERT'));
  return speaksTls ? { why: 'expects TLS, and this connection has none', hint: 'set TEMPORAL_TLS=true, or the certificates' } : undefined;
}

function withOurs(met: Met): Trouble | undefined {
  if (met.kind !== 'failed') return undefined;
  const { code, text } = met;
  if (code.includes('ALERT')) return { why: `refused the certificate of this host, or wants one: ${text}`, hint: OURS };
  if (code.startsWith('ERR_SSL') || code === 'EPROTO' || code === 'ECONNRESET')
    return { why: `does not speak TLS, and this connection does: ${text}`, hint: 'set TEMPORAL_TLS=false, or turn TLS on there' };
  return { why: `has a certificate that is not trusted: ${text}`, hint: HINTS[code] ?? AUTHORITY };
}

const AWAY: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EACCES']);

function handshake(address: string, tls: Tls): Promise<Met> {
  const { hostname, port } = new URL(`tls://${address}`);
  const host = hostname.replace(/^\[|\]$/g, '');
  const { serverNameOverride, serverRootCACertificate, clientCertPair } = typeof tls === 'object' ? tls : {};
  const name = serverNameOverride ?? (isIP(host) === 0 ? host : undefined);
  return new Promise((resolve) => {
    const socket = connect({
      ...{ host, port: Number(port), ALPNProtocols: ['h2'], rejectUnauthorized: tls !== false },
      ...defined({ servername: name, ca: serverRootCACertificate as Buffer | undefined }),
      ...(clientCertPair && { cert: Buffer.from(clientCertPair.crt), key: Buffer.from(clientCertPair.key) }),
    });
    const settle = (met: Met): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(met);
    };
    const timer = setTimeout(() => settle({ kind: 'nobody' }), LIMIT_MS);
    // By TLS 1.3 our certificate is refused only after our side is done: a server that sends something has accepted it.
    socket.once('data', () => settle({ kind: 'done' }));
    if (tls === false) socket.once('secureConnect', () => settle({ kind: 'done' }));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      const { code = '', message } = error;
      settle(AWAY.has(code) ? { kind: 'nobody' } : { kind: 'failed', code, text: oneLine(message) });
    });
    socket.once('close', () => settle({ kind: 'nobody' }));
  });
}

/** OpenSSL's own words, without its address and its file. */
function oneLine(message: string): string {
  return /routines:[^:]*:([^:]+)/.exec(message)?.[1] ?? message.split('\n')[0] ?? message;
}
