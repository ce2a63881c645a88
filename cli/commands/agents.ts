import type { Diagnostic } from '../../compiler/diagnostics/diagnostic';
import { PipelineIndex } from '../../worker/pipeline-index';
import type { Invocation } from '../command';
import { EXIT } from '../exit';
import { agentsOfPlan, type ListedAgent, merged } from '../pipelines/agent-list';
import { compilerInstallation } from '../pipelines/installation';
import { compile, findPipeline, format, type PipelineFile, readPipeline } from '../pipelines/pipelines';
import { renderAgents } from '../rendering/agents';
import { renderEmpty } from '../rendering/text/empty';
import type { Configuration } from '../settings/configuration';
import { configurationOf } from '../settings/settings';

/**
 * Lists every agent of one pipeline, or of all pipelines in the folders of the settings, including agents in their folders that nothing
 * names. Mistakes are reported and give exit code 2; agents of the pipelines without any are still listed.
 */
export async function execute({ args, options, terminal }: Invocation): Promise<number> {
  const configuration = configurationOf({ options, terminal });
  const [given] = args;
  const files = given === undefined ? everyPipeline(configuration, terminal.cwd) : [findPipeline(given, configuration, terminal.cwd)];
  const { agents, diagnostics } = read(files, configuration);
  const failed = diagnostics.some(({ severity }) => severity === 'error');
  if (options.flag('json')) {
    terminal.out(`${JSON.stringify({ ok: !failed, agents, diagnostics }, null, 2)}\n`);
  } else {
    if (diagnostics.length > 0) terminal.err(`${format(diagnostics, terminal.colors.isColorSupported)}\n`);
    if (agents.length > 0) terminal.out(renderAgents(agents, terminal.colors));
    else if (!failed)
      terminal.err(
        files.length === 0
          ? renderEmpty('no pipelines', 'make a first one with', 'init')
          : renderEmpty(`no agents in ${files.map(({ file }) => file).join(', ')}`, 'see what a pipeline does with', 'plan PIPELINE'),
      );
  }
  return failed ? EXIT.usage : EXIT.done;
}

function read(files: readonly PipelineFile[], configuration: Configuration): { agents: ListedAgent[]; diagnostics: Diagnostic[] } {
  const installation = compilerInstallation(configuration);
  const said = new Map<string, Diagnostic>();
  const agents = files.flatMap((file) => {
    const compiled = compile(file, { installation, everyAgent: true });
    for (const found of compiled.diagnostics) said.set(`${found.code} ${found.file} ${found.startOffset} ${found.message}`, found);
    return compiled.plan === undefined ? [] : agentsOfPlan(compiled, configuration);
  });
  return { agents: merged(agents), diagnostics: [...said.values()] };
}

/** Lobster files have no agents. */
function everyPipeline({ pipelines }: Configuration, cwd: string): PipelineFile[] {
  const paths = [...new Set([...new PipelineIndex(pipelines.value).files().values()].flat())];
  return paths.sort().map((path) => readPipeline(path, cwd));
}
