/** The system's code of an error, such as `ENOENT`. Checked by shape: an error may come from another realm, as under Jest. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Too many open files: what cannot be looked at for that reason may well be there. */
export function isShortOfFiles(error: unknown): boolean {
  return ['EMFILE', 'ENFILE'].includes(errorCode(error) ?? '');
}
