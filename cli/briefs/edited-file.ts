import { dirname, join } from 'node:path';
import { sha256 } from '../../compiler/freeze/blobs';
import { hasRoleTeam } from '../../kinds/questions';
import type { Plan } from '../../plan/plan';
import type { StepView } from '../../plan/run/status';
import type { BriefStep, Step } from '../../plan/steps/step';
import { everyStep } from '../../plan/steps/walk';
import { readSourceFile, statIfReadable } from '../../worker/source-file';
import { relativePath } from '../relative-path';
import type { Terminal } from '../terminal';
import { briefFilesIn } from './brief-files';

/** What to say of files that have changed since the run of their brief began: it keeps to its frozen plan. */
export function editedFiles(
  plan: Pick<Plan, 'source' | 'block'>,
  { project, briefId }: Pick<NonNullable<StepView['brief']>, 'project' | 'briefId'>,
  folders: readonly string[],
  { cwd }: Pick<Terminal, 'cwd'>,
): string[] {
  const steps = [...everyStep<Step>(plan.block.steps)].filter(hasRoleTeam).filter((step) => step.project === project);
  // A pipeline of one step may be a brief's file; one of more steps has been written as a pipeline.
  const frozen = steps.find(({ source }) => source)?.source ?? (plan.block.steps.length === 1 ? plan.source : undefined);
  if (frozen === undefined) return [];
  const own = briefFilesIn(folders).filter((file) => file.project === project && (file.briefId ?? briefId) === briefId);
  const briefs = own.some(({ source }) => source === frozen) ? [] : own.map(({ path }) => path);
  const roles = own.flatMap(({ path }) => editedRoles(steps, join(dirname(path), 'roles')));
  return [...new Set([...briefs, ...roles])].map(
    (path) => `${relativePath(path, cwd)} has changed since the run began: the run keeps its own plan, and edits do not affect it`,
  );
}

/** The files of roles in a folder that have changed. */
function editedRoles(steps: readonly BriefStep[], folder: string): string[] {
  return steps
    .flatMap(({ roles }) => roles)
    .flatMap(({ id, source }) => {
      const files = source === undefined ? [] : ['.yaml', '.yml'].map((extension) => join(folder, `${id}${extension}`));
      return files.filter((file) => statIfReadable(file) && sha256(readSourceFile(file)) !== source);
    });
}
