import { errorCode } from '../../../plan/error-code';

/** What exists at a path; undefined if nothing does. Other errors are passed on. */
export async function orAbsent<T>(found: Promise<T>): Promise<T | undefined> {
  return await found.catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  });
}
