/**
 * What an argument or the value of an option is completed with: files, which the shell knows itself, words that are written here, or
 * names that are looked up when they are asked for (`candidates.ts`).
 */
export const LOOKED_UP = [
  'pipeline',
  'run',
  /** One that continues. */
  'open-run',
  /** One with an open gate. */
  'gated-run',
  'paused-run',
  /** Of the run that is named before. */
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

/** Whether files are beside the names: a pipeline is named by its file, too. */
export function takesFiles(completes: CompletionSource | undefined): boolean {
  return completes === 'file' || completes === 'pipeline';
}
