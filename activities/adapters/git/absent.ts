import { errorCode } from '../../../plan/error-code';

/** What there is at a path; undefined where there is nothing. Any other error stays one. */
export async function orAbsent<T>(found: Promise<T>): Promise<T | undefined> {
  return await found.catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  });
}
