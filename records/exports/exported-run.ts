import type { RunResult } from '../../plan/run/run-result';
import type { RunView } from '../../plan/run/status';
import type { ExportedFile } from './export-manifest';

/** `run.json` of an export: a run as it was then. */
export interface ExportedRun {
  view: RunView;
  /** Absent: it had not ended, failed, or was cancelled. */
  result?: RunResult;
  /** For a child pipeline: its parent's run, and the address of the step's try. */
  parent?: { run: string; step: string };
}

/** What each file of an export holds of a run; `path` finds it. */
export function filesOf({ files }: { files: readonly ExportedFile[] }, run: string) {
  const of = files.flatMap((file) => ('run' in file.holds && file.holds.run === run ? [{ ...file, holds: file.holds }] : []));
  const document = (kind: 'run' | 'plan' | 'journal' | 'accounts') => of.find(({ holds }) => holds.kind === kind);
  const calls = (kind: 'transcript' | 'log') =>
    of.flatMap((file) => (file.holds.kind === kind ? [{ ...file, call: file.holds.call }] : []));
  return { document, calls };
}
