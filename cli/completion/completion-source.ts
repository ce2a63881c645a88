/**
 * What completes an argument or the value of an option: files, which the shell knows itself, words that are written here, or names that are
 * looked up on request (`completions.ts`).
 */
const LOOKED_UP = [
  'pipeline',
  'run',
  /** A run that continues. */
  'open-run',
  /** A run with an open gate. */
  'gated-run',
  'paused-run',
  /** A step of the run that was named before. */
  'step',
  'gate',
  'held-step',
  'agent',
  'person',
  'script',
  'schedule',
] as const;
export type LookedUp = (typeof LOOKED_UP)[number];
export type CompletionSource = 'file' | LookedUp | readonly string[];

export function isLookedUp(completes: CompletionSource | undefined): completes is LookedUp {
  return LOOKED_UP.some((known) => known === completes);
}

/** Whether files complete it too: a pipeline can also be named by its file. */
export function takesFiles(completes: CompletionSource | undefined): boolean {
  return completes === 'file' || completes === 'pipeline';
}
