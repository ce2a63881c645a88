import { ThermidorFailure } from '../../plan/run/failure';
import type { CommandStep } from '../../plan/steps/step';
import { field, type Json } from '../../plan/text/json';
import type { CommandRequest } from '../ports';
import type { LoadedRun } from '../run/loaded-run';

/**
 * A failure of a Lobster file's command in Lobster's words: callers read them, and later steps as `$step.errorMessage`. Code and details
 * stay. Any other error is returned unchanged.
 */
export function lobsterWords(run: LoadedRun, step: CommandStep, { command, timeoutMs }: CommandRequest, error: unknown): unknown {
  if (run.plan.dialect !== 'lobster' || !(error instanceof ThermidorFailure)) return error;
  const { code, details } = error;
  if (code === 'command.timeout') return new ThermidorFailure(code, `Step '${step.as ?? step.id}' timed out after ${timeoutMs}ms`, details);
  const exitCode = field(details, 'exitCode');
  if (code !== 'command.failed' || exitCode === undefined) return error;
  const line = 'shell' in command ? command.shell : (command.argv.at(-1) ?? '');
  const said = saidOn(details, 'stderr') || saidOn(details, 'stdout') || line;
  return new ThermidorFailure(code, `workflow command failed (${String(exitCode)}): ${said}`, details);
}

function saidOn(details: Json | undefined, stream: 'stderr' | 'stdout'): string {
  const text = field(details, stream);
  return typeof text === 'string' ? text.trim() : '';
}
