import { errorCode } from '../../plan/error-code';

/** What a code of PostgreSQL or of the network means to the operator. Codes: PostgreSQL's documentation, appendix A. */
const REASONS: Readonly<Record<string, string>> = {
  '28P01': 'the password is wrong',
  '28000': 'this user may not connect, or not without TLS; see pg_hba.conf of the server',
  '3D000': 'there is no such database; create it',
  '42501': 'this user may not do that; grant it the schema and its tables',
  '25006': 'it is read-only, such as a standby; use the primary',
  '53100': 'its disk is full; free some space',
  '53200': 'it has no memory left',
  '53300': 'it takes no more connections; raise max_connections, or run fewer workers',
  '57P03': 'it is starting or stopping',
  '57P01': 'it is shutting down',
  '57P02': 'it has crashed',
  '57014': 'a statement took too long',
  '22021': 'a text has a character that the database cannot keep',
  '22P05': 'a text has a character that the database cannot keep',
  ECONNREFUSED: 'nothing listens there; is it running?',
  ECONNRESET: 'the connection broke',
  EPIPE: 'the connection broke',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'its host cannot be reached',
  ENETUNREACH: 'its host cannot be reached',
  ENOTFOUND: 'its host is not known',
  EAI_AGAIN: 'the name of its host cannot be looked up now',
  ENOENT: 'its socket is not there; is it running?',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself; name its authority by sslrootcert',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is of an unknown authority; name the authority by sslrootcert',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is of an unknown authority; name the authority by sslrootcert',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  CERT_HAS_EXPIRED: 'its certificate has expired',
};

/** Whole classes of codes, by their first two characters. */
const CLASSES: Readonly<Record<string, string>> = {
  '08': 'the connection broke',
  '40': 'statements of others were in the way',
  '53': 'it lacks resources',
  '57': 'an operator or the server ended the statement',
  '58': 'its disk or its system failed',
  XX: 'its data are damaged; see the log of the server',
};

/** Errors of the driver that have no code, by their words. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/does not support SSL/i, 'it speaks no TLS; set sslmode=disable if the network is trusted'],
  [/timeout exceeded when trying to connect|connection timeout|Query read timeout/i, 'it does not answer'],
  [/Connection terminated|Client has encountered a connection error|not queryable/i, 'the connection broke'],
  [/SASL|client password must be a string/i, 'the password is missing or wrong'],
];

/** A row that a statement would add breaks a rule of its table, which only the port that asked can judge. */
const BROKEN_RULE = '23';

/** In words; undefined if it is neither the database's error nor the network's. */
export function reasonOf(error: unknown): string | undefined {
  const file = unreadFile(error);
  if (file !== undefined) return `the file ${file}, which its address names, cannot be read`;
  const code = codeOf(error);
  if (code?.startsWith(BROKEN_RULE)) return undefined;
  if (code !== undefined) return REASONS[code] ?? CLASSES[code.slice(0, 2)] ?? otherState(code);
  const message = error instanceof Error || isMessage(error) ? error.message : '';
  return WORDS.find(([pattern]) => pattern.test(message))?.[1];
}

/** Whether the same statement may succeed in a moment. */
export function isPassing(error: unknown): boolean {
  if (unreadFile(error) !== undefined) return false;
  const code = codeOf(error);
  if (code === undefined) return reasonOf(error) === 'the connection broke';
  const passes = ['57P01', '57P02', '57P03', '53300', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'EAI_AGAIN'];
  return passes.includes(code) || ['08', '40'].includes(code.slice(0, 2));
}

/** PostgreSQL's code, five characters. */
export function sqlState(error: unknown): string | undefined {
  const code = errorCode(error);
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** The path of a certificate or key that could not be opened. A socket has the same codes. */
function unreadFile(error: unknown): string | undefined {
  const isOpening = typeof error === 'object' && error !== null && 'syscall' in error && error.syscall === 'open';
  return isOpening && 'path' in error && typeof error.path === 'string' ? error.path : undefined;
}

function codeOf(error: unknown): string | undefined {
  const own = errorCode(error);
  if (own !== undefined) return own;
  // Every address of a host was tried, each with an error of its own.
  const tried = typeof error === 'object' && error !== null && 'errors' in error && Array.isArray(error.errors) ? error.errors : [];
  return tried.map(errorCode).find((code) => code !== undefined);
}

function otherState(code: string): string | undefined {
  return /^[0-9A-Z]{5}$/.test(code) || /^E[A-Z_]+$/.test(code) ? `it answered ${code}` : undefined;
}

function isMessage(error: unknown): error is { message: string } {
  return typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string';
}
