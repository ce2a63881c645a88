/** One thing that `thermidor doctor` looks at. */
export interface Check {
  name: string;
  /** A warning is something that works less well; it does not make the command fail. */
  state: 'ok' | 'warning' | 'failed';
  says: string;
  /** What to do about it. */
  hint?: string;
}

export function failed(check: Check): boolean {
  return check.state === 'failed';
}

export function errorMessageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
