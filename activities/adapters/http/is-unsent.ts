import { errorCode } from '../../../plan/error-code';

/** Error codes of connections that failed before anything was sent. */
const UNSENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|CERT_.*|.*_CERT(_.*)?|ERR_TLS_.*)$/;

/** Whether a request failed like this, by the codes of its error and its causes: nobody can have received it. */
export function isUnsent(error: unknown): boolean {
  for (let cause = error; typeof cause === 'object' && cause !== null; cause = 'cause' in cause ? cause.cause : undefined) {
    if (UNSENT.test(errorCode(cause) ?? '')) return true;
  }
  return false;
}
