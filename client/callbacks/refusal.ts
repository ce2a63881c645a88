/**
 * Why an answer was not accepted, as its HTTP status: 400 unreadable · 401 unsigned, forged, too old, or a token is missing · 403 not this
 * person · 404 no such gate · 405 wrong method · 408 it did not arrive completely · 409 seen before, already decided, or changed since it
 * was shown · 410 too late · 413 too large · 415 wrong content type · 422 the board does not take the task, or a delivery starts no
 * run as it is · 429 too many · 503 nobody takes it now.
 */
export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 408 | 409 | 410 | 413 | 415 | 422 | 429 | 503;

/** An answer that is not accepted. Its words are for the sender, so they contain no secret. */
export class CallbackRefused extends Error {
  override readonly name = 'Refused';
  constructor(
    readonly status: RefusalStatus,
    message: string,
    /** Seconds after which the same may be tried again. */
    readonly retryAfterS?: number,
  ) {
    super(message);
  }
}
