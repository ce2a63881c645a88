import type { BriefStart } from '../../compiler/brief/flags';
import { defined } from '../../plan/defined';
import { CommandFailure, EXIT } from '../exit';
import type { Configuration } from '../settings/configuration';
import type { Terminal } from '../terminal';
import { compilerInstallation } from './installation';
import { type Compiled, compile, findPipeline, format, type PipelineFile } from './pipelines';

export interface CheckedPipeline {
  pipeline: PipelineFile;
  compiled: Compiled;
}

/**
 * Finds and compiles a pipeline for a command that needs it whole. Mistakes are printed on stderr, all of them, and end the
 * command with exit 2; warnings are printed and it continues. `brief`: how a brief's file is started.
 */
export function checkedPipeline(
  given: string,
  configuration: Configuration,
  terminal: Terminal,
  { wanted, brief }: { wanted?: 'pipeline' | 'team' | undefined; brief?: BriefStart } = {},
): CheckedPipeline {
  const pipeline = findPipeline(given, configuration, terminal.cwd, wanted);
  const compiled = compile(pipeline, { installation: compilerInstallation(configuration), ...defined({ brief }) });
  if (compiled.diagnostics.length > 0) terminal.err(`${format(compiled.diagnostics, terminal.colors.isColorSupported)}\n`);
  if (compiled.plan !== undefined) return { pipeline, compiled };
  const mistakes = compiled.diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
  throw new CommandFailure(
    EXIT.usage,
    'pipeline.invalid',
    `${pipeline.file} has ${mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`}`,
    {
      details: { diagnostics: compiled.diagnostics },
    },
  );
}
