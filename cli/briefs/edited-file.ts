import type { Plan } from '../../plan/plan';
import type { StepView } from '../../plan/run/status';
import { relativePath } from '../relative-path';
import type { Terminal } from '../terminal';
import { briefFilesIn } from './brief-files';

/** What to say of files that have changed since the run of their brief began: it keeps to its frozen plan. */
export function editedFiles(
  { source, block }: Pick<Plan, 'source' | 'block'>,
  { project, briefId }: Pick<NonNullable<StepView['brief']>, 'project' | 'briefId'>,
  folders: readonly string[],
  { cwd }: Pick<Terminal, 'cwd'>,
): string[] {
  // A pipeline with more than a brief has been written as one, and is no brief's file.
  if (block.steps.length > 1) return [];
  const own = briefFilesIn(folders).filter((file) => file.project === project && (file.briefId ?? briefId) === briefId);
  if (own.some((file) => file.source === source)) return [];
  return own.map(
    ({ path }) => `${relativePath(path, cwd)} is not what the run began with: the run keeps to its own plan, which no edit reaches`,
  );
}
