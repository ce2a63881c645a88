import { errorCode } from '../../plan/error-code';
import { ThermidorFailure } from '../../plan/run/failure';
import { type BucketPlace, shownBucket } from './bucket-place';

/** What an error of the store or of the network means to the operator, by its name. */
const REASONS: Readonly<Record<string, string>> = {
  NoSuchBucket: 'there is no such bucket; create it',
  InvalidAccessKeyId: 'its credentials are not known there',
  SignatureDoesNotMatch: 'its credentials are wrong',
  AccessDenied: 'these credentials may not do that; let them list the bucket, and get and put objects',
  ExpiredToken: 'its credentials have expired',
  CredentialsProviderError: 'there are no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or another source of the AWS SDK',
  PermanentRedirect: 'the bucket is in another region; name it by ?region=',
  AuthorizationHeaderMalformed: 'the bucket is in another region; name it by ?region=',
  RequestTimeTooSkewed: 'the clock of this host is wrong',
  NotImplemented: 'it does not implement what is needed',
  SlowDown: 'it takes no more requests now',
  ServiceUnavailable: 'it is overloaded',
  InternalError: 'it failed',
  TimeoutError: 'it does not answer',
  ECONNREFUSED: 'nothing listens there; is it running?',
  ECONNRESET: 'the connection broke',
  EPIPE: 'the connection broke',
  ENOTFOUND: 'its host is not known',
  EAI_AGAIN: 'the name of its host cannot be looked up now',
  EHOSTUNREACH: 'its host cannot be reached',
  ENETUNREACH: 'its host cannot be reached',
  ETIMEDOUT: 'it does not answer',
};

/** The store's own word that there is no such object. A 404 that says anything else does not tell. */
export function isAbsent(error: unknown): boolean {
  return nameOf(error) === 'NoSuchKey' && statusOf(error) === 404;
}

/** The answer to a condition: there is an object already. */
export function isThere(error: unknown): boolean {
  return statusOf(error) === 412;
}

/** The store has refused a request, and would again. */
export function isRefused(error: unknown): boolean {
  return statusOf(error) !== undefined && !isPassing(error);
}

/** Whether the same request may succeed in a moment. Two that put the same at once are a conflict, which one of them is to try again. */
export function isPassing(error: unknown): boolean {
  const [status, code] = [statusOf(error), networkCode(error)];
  if (status !== undefined) return status >= 500 || status === 409 || status === 429 || nameOf(error) === 'RequestTimeout';
  return code !== undefined && PASSING.includes(code);
}
const PASSING = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EAI_AGAIN'];

export function bucketProblem(place: BucketPlace, error: unknown): Error {
  if (error instanceof ThermidorFailure) return error;
  const [name, status] = [nameOf(error), statusOf(error)];
  const code = networkCode(error);
  const reason = REASONS[name] ?? REASONS[code ?? ''] ?? (status === 503 ? REASONS['SlowDown'] : undefined);
  // What is neither the store's nor the network's is a defect of ours.
  if (reason === undefined && status === undefined && code === undefined) return error instanceof Error ? error : new Error(String(error));
  const says = reason ?? `it answered ${status ?? code} ${name}`;
  return bucketFailure(place, `cannot be used: ${says}`, name);
}

export function bucketFailure(place: BucketPlace, says: string, reason: string): ThermidorFailure {
  const store = shownBucket(place);
  return new ThermidorFailure('store.unavailable', `the bucket ${store} ${says}`, { store, reason });
}

/** The code of the network. The SDK may wrap an error that is not of its own, and keeps only its words. */
function networkCode(error: unknown): string | undefined {
  const words = error instanceof Error ? error.message : '';
  return errorCode(error) ?? /\bE[A-Z_]{4,}\b/.exec(words)?.[0] ?? (/socket hang up|aborted/.test(words) ? 'ECONNRESET' : undefined);
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

function statusOf(error: unknown): number | undefined {
  const metadata = typeof error === 'object' && error !== null && '$metadata' in error ? error.$metadata : undefined;
  const isKnown = typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata;
  return isKnown && typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : undefined;
}
