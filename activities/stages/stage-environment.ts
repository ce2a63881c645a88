import { resolve } from 'node:path';
import { defined } from '../../plan/defined';
import { render } from '../../plan/expressions/evaluate';
import type { StagesStep } from '../../plan/steps/step';
import type { CallerEnvironment } from '../../records/caller-environments';
import type { LoadedRun } from '../run/loaded-run';
import { stepEnvironment } from '../run/step-environment';
import type { InputScope } from '../run/template-scope';
import type { Toolbox } from '../toolbox';
import { argVariables } from './arg-variables';
import type { StagePorts } from './stage-ports';

/** The part of its environment that a pipe sees. */
export type PipeEnvironment = Pick<StagePorts, 'environment' | 'commandEnvironment' | 'cwd' | 'filesFrom'>;

/**
 * The environment of a pipe: its caller's, then the run's args, then the step's own, each of which wins over earlier ones. A pipe of the
 * strict dialect has only the step's own, and its commands have the usual environment of commands.
 */
export async function stageEnvironment(toolbox: Toolbox, run: LoadedRun, step: StagesStep, scope: InputScope): Promise<PipeEnvironment> {
  const own = stepEnvironment(step, scope);
  const written = step.cwd === undefined ? '' : render(step.cwd, scope);
  if (run.plan.dialect !== 'lobster') return { environment: own, commandEnvironment: { env: own }, ...folder(written, undefined) };
  const caller: CallerEnvironment = await toolbox.environments.callerOf(run.key.workflowId);
  const env = { ...argVariables(Object.keys(run.record.args), scope), ...own };
  return { environment: { ...caller.env, ...env }, commandEnvironment: { inherit: caller.env, env }, ...folder(written, caller.cwd) };
}

/** A relative folder is the caller's; the step's own is its commands' alone, as in Lobster. */
function folder(written: string, caller: string | undefined): Pick<StagePorts, 'cwd' | 'filesFrom'> {
  const cwd = written === '' ? caller : resolve(caller ?? '.', written);
  return defined({ cwd, filesFrom: caller });
}
