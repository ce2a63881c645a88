import type { WorktreeUse } from '../../plan/run/worktree';

/** A note for an agent whose worktree was made again on another host while it worked: its memory of its files is outdated. */
export function movedNote(worktree: WorktreeUse | undefined): string | undefined {
  if (worktree?.movedFrom === undefined) return undefined;
  const what = `The machine that you worked on was lost. Your worktree was made again, on another one, at commit ${worktree.commit}`;
  return `${what}: changes that you had not committed before are lost. Look at the files before you go on.`;
}
