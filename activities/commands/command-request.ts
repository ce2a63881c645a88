import { resolve } from 'node:path';
import { defined } from '../../plan/defined';
import { render } from '../../plan/expressions/evaluate';
import type { Template } from '../../plan/expressions/expression';
import { writeTemplate } from '../../plan/expressions/write-expression';
import { ARTIFACT_LIMIT_BYTES } from '../../plan/run/artifact';
import type { CommandStep } from '../../plan/steps/step';
import { shortened } from '../../plan/text/shortened';
import type { CallerEnvironment } from '../../records/caller-environments';
import type { CommandRequest } from '../ports';
import type { LoadedRun } from '../run/loaded-run';
import { stepEnvironment } from '../run/step-environment';
import type { InputScope } from '../run/template-scope';
import { argVariables } from '../stages/arg-variables';
import type { Toolbox } from '../toolbox';
import { shellCommand } from './shell-template';
import { checkLength } from './value-lengths';

/** The surroundings of a run's commands: in a Lobster file, those of the caller; otherwise none. */
export async function commandEnvironment({ environments }: Toolbox, run: LoadedRun): Promise<CallerEnvironment | undefined> {
  return run.plan.dialect === 'lobster' ? await environments.callerOf(run.key.workflowId) : undefined;
}

/** A command as its step wants it, rendered. In a Lobster file it sees what the caller sees. */
export function commandRequest(
  run: LoadedRun,
  step: CommandStep,
  scope: InputScope,
  caller: CallerEnvironment | undefined,
): CommandRequest {
  const { env, ...around } = stepSurroundings(run, step, scope, caller);
  const { mask } = scope.secrets;
  const request: CommandRequest = { command: { argv: [] }, env, ...around, outputLimitBytes: ARTIFACT_LIMIT_BYTES, mask };
  if ('argv' in step.command) {
    request.command = { argv: step.command.argv.map((word) => wordOf(word, scope)) };
  } else if (step.command.raw) {
    const line = render(step.command.shell, scope);
    checkLength('the command line of "run", its values included,', line);
    request.command = inShell(line, caller);
  } else {
    const { shell, env: values } = shellCommand(step.command.shell, scope);
    request.command = { shell };
    request.env = { ...env, ...values };
  }
  if (step.stdin) request.stdin = render(step.stdin, scope);
  if (step.timeoutMs !== undefined) request.timeoutMs = step.timeoutMs;
  return request;
}

/**
 * Environment and folder of a step's commands. Lobster's order: the caller's environment (`inherit`), the args, then those of file and
 * step; a folder is relative to the caller's.
 */
function stepSurroundings(
  run: LoadedRun,
  step: Pick<CommandStep, 'id' | 'env' | 'cwd'>,
  scope: InputScope,
  caller: CallerEnvironment | undefined,
): Pick<CommandRequest, 'env' | 'cwd' | 'inherit'> {
  const own = variablesOf(step, scope);
  const folder = step.cwd && render(step.cwd, scope);
  if (!caller) return { env: own, ...defined({ cwd: folder }) };
  const cwd = folder === undefined || caller.cwd === undefined ? (folder ?? caller.cwd) : resolve(caller.cwd, folder);
  return {
    inherit: caller.env,
    env: { ...argVariables(Object.keys(run.record.args), scope), ...own },
    ...defined({ cwd }),
  };
}

function wordOf(word: Template, scope: InputScope): string {
  const text = render(word, scope);
  checkLength(`"${shown(word)}" in "argv"`, text);
  return text;
}

/** The variables of a step, each checked against the system's limit. */
function variablesOf(step: Pick<CommandStep, 'id' | 'env'>, scope: InputScope): Record<string, string> {
  const variables = stepEnvironment(step, scope);
  for (const [name, template] of Object.entries(step.env ?? {}))
    checkLength(`"${shown(template)}", the variable ${name} in "env",`, variables[name] ?? '', name);
  return variables;
}

const SHOWN_CHARACTERS = 80;

/** A template as its author wrote it. */
function shown(template: Template): string {
  return shortened(writeTemplate(template), SHOWN_CHARACTERS);
}

/** Lobster lets the caller name the shell. */
function inShell(line: string, caller: CallerEnvironment | undefined): CommandRequest['command'] {
  const shell = caller?.env['LOBSTER_SHELL']?.trim();
  return shell ? { argv: [shell, '-lc', line] } : { shell: line };
}

/** Whether the command is independent of other steps: it is the same whenever it is rendered. */
export function isFixed(step: CommandStep): boolean {
  if (step.cwd) return false;
  const words = 'argv' in step.command ? step.command.argv : [step.command.shell];
  const templates: Template[] = [...words, ...Object.values(step.env ?? {}), ...(step.stdin ? [step.stdin] : [])];
  return templates.every((template) => template.every((piece) => typeof piece === 'string'));
}
