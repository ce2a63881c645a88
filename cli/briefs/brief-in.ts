import { isBriefFile } from '../../compiler/brief/brief-file';
import { hasRoleTeam } from '../../kinds/questions';
import { briefRunId } from '../../plan/brief/brief-run';
import type { BriefStep, Step } from '../../plan/steps/step';
import { CommandFailure, EXIT } from '../exit';
import type { CheckedPipeline } from '../pipelines/checked-pipeline';

/** The step of a brief's file; undefined for any other file. */
export function briefIn({ pipeline, compiled }: CheckedPipeline): BriefStep | undefined {
  if (!isBriefFile(pipeline.path)) return undefined;
  return (compiled.plan.block.steps as readonly Step[]).find((step) => hasRoleTeam(step));
}

/** The id of the run of a brief's file; undefined for other files, and if only a plan is to be made. */
export function idOfBrief(file: CheckedPipeline): string | undefined {
  const { project, briefId, until } = briefIn(file) ?? {};
  return project === undefined || briefId === undefined || until === 'plan' ? undefined : briefRunId(project, briefId);
}

/** Throws if the file is no brief's. */
export function requireBrief({ pipeline, compiled }: CheckedPipeline): void {
  if (isBriefFile(pipeline.path)) return;
  throw new CommandFailure(EXIT.usage, 'brief.not-a-brief', `${pipeline.file} is a pipeline, not a brief`, {
    hint: `a brief is a Markdown file; start this one with: thermidor run ${compiled.plan.name}`,
  });
}
