import type { AgentDefinition } from '../../../plan/plan';
import { ThermidorFailure } from '../../../plan/run/failure';
import type { AgentAdapter } from '../../agent-port';
import type { RunSecrets } from '../../run/run-secrets';
import { ToolRefusal } from '../../tool-ports';
import type { Toolbox } from '../../toolbox';
import { INPUTS_FOLDER, type InputFile, type WholeInputs } from './prompt-inputs';

/** Where an agent can find cut inputs in full: by our tool, or as files, if it reads those. */
export function wholeInputs(
  { toolPorts }: Pick<Toolbox, 'toolPorts'>,
  { ownTools }: Pick<AgentAdapter, 'ownTools'>,
  agent: Pick<AgentDefinition, 'tools'>,
  step: { tools?: readonly string[] },
): WholeInputs | undefined {
  if (!ownTools && hasTool(agent, step, 'read_artifact', true)) return 'tool';
  return toolPorts && (ownTools || hasTool(agent, step, 'read_file', false)) ? 'file' : undefined;
}

/** @param unlisted whether an agent without a list of tools has it */
export function hasTool(
  agent: Pick<AgentDefinition, 'tools'>,
  step: { tools?: readonly string[] },
  tool: string,
  unlisted: boolean,
): boolean {
  return (agent.tools?.includes(tool) ?? unlisted) && (step.tools?.includes(tool) ?? true);
}

/**
 * Lays whole inputs out in the step's folder, without secrets, hidden from git. Repeating it changes nothing. Fails with `tool.failed` if
 * the folder refuses them.
 */
export async function layOutInputs(
  { toolPorts }: Pick<Toolbox, 'toolPorts'>,
  folder: string,
  files: readonly InputFile[],
  { mask }: Pick<RunSecrets, 'mask'>,
): Promise<void> {
  if (!toolPorts || files.length === 0) return;
  try {
    await toolPorts.files.write({ folder, path: `${INPUTS_FOLDER}/.gitignore` }, '*\n');
    for (const { path, text } of files) await toolPorts.files.write({ folder, path }, mask(text));
  } catch (error) {
    if (error instanceof ToolRefusal)
      throw new ThermidorFailure('tool.failed', `the inputs cannot be written to ${folder}: ${error.message}`);
    throw error;
  }
}
