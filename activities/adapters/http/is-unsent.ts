import { errorCode } from '../../../plan/error-code';

/** What a connection fails with before anything can be sent. */
const UNSENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|CERT_.*|.*_CERT(_.*)?|ERR_TLS_.*)$/;

/** Whether a request failed so, by the codes of its error and its causes: nobody can have taken it. */
export function isUnsent(error: unknown): boolean {
  for (let cause = error; typeof cause === 'object' && cause !== null; cause = 'cause' in cause ? cause.cause : undefined) {
    if (UNSENT.test(errorCode(cause) ?? '')) return true;
  }
  return false;
}
