import { programEnvironment } from '../../activities/adapters/cli-agent/environment';
import { findProgram } from '../../activities/adapters/cli-agent/find-program';
import { commandOf, presetOf } from '../../activities/adapters/cli-agent/presets';
import { proxyFor } from '../../activities/adapters/http/proxy';
import { resolveEndpoint } from '../../activities/adapters/model/endpoint';
import { commandEnvironment } from '../../activities/adapters/processes/process-environment';
import { LocalSecrets } from '../../activities/adapters/secrets';
import type { AdapterSpec, EndpointSpec, ProgramSpec, ToolServerSpec } from '../../plan/agents/adapter';
import { defined } from '../../plan/defined';
import { type FailureCode, ThermidorFailure } from '../../plan/run/failure';
import { unreachable } from '../../plan/unreachable';

/** Whether an adapter or a server of tools has what it needs: a key, a program. Neither is contacted, so it costs nothing. */

export interface MissingRequirement {
  code: FailureCode;
  /** What is missing; never a key. */
  says: string;
}

/** What an adapter lacks, looked up as the worker would. Undefined if nothing is missing. */
export async function adapterLacks(name: string, spec: AdapterSpec, env: NodeJS.ProcessEnv): Promise<MissingRequirement | undefined> {
  switch (spec.kind) {
    case 'anthropic':
    case 'openai':
      return await endpointLacks(name, spec, env);
    case 'cli':
      return await programLacks(name, spec, env);
    case 'own':
      return {
        code: 'adapter.unavailable',
        says: `the adapter "${name}" is implemented in code by workers of your own, and none of them runs here`,
      };
    default:
      return unreachable(spec);
  }
}

async function endpointLacks(name: string, spec: EndpointSpec, env: NodeJS.ProcessEnv): Promise<MissingRequirement | undefined> {
  return await failureOf(`adapter "${name}"`, async () => await resolveEndpoint({ name, spec, secrets: secretsOf(env), env }));
}

async function programLacks(name: string, spec: ProgramSpec, env: NodeJS.ProcessEnv): Promise<MissingRequirement | undefined> {
  return await failureOf(`adapter "${name}"`, async () => {
    const { word, file, install } = await findAgentProgram(name, spec, env);
    if (file !== undefined) return;
    const how = install === undefined ? '' : `; install it: ${install}`;
    throw new ThermidorFailure('adapter.unavailable', `the program "${word}" of adapter "${name}" is not installed${how}`);
  });
}

/** The program of an adapter. */
export interface AgentProgram {
  /** The program's name in the settings. */
  word: string;
  /** The path at which it was found. */
  file?: string;
  /** The command that installs it, if we know one. */
  install?: string;
  /** Where its environment looks for programs. */
  searched: string;
}

/** Looked up as the adapter does. Fails with `secret.missing` if a secret of its environment does not exist. */
export async function findAgentProgram(name: string, spec: ProgramSpec, env: NodeJS.ProcessEnv): Promise<AgentProgram> {
  const preset = presetOf(name, spec);
  const [word = ''] = commandOf(preset, spec);
  const { variables } = await programEnvironment(preset, spec, secretsOf(env), env);
  const searched = variables['PATH'] ?? '';
  const file = await findProgram(word, searched);
  const install = spec.command === undefined ? preset.install : undefined;
  return { word, searched, ...defined({ file, install }) };
}

/** A server with an address is not checked beforehand: the first request shows whether it exists. */
export async function toolServerLacks(name: string, spec: ToolServerSpec, env: NodeJS.ProcessEnv): Promise<MissingRequirement | undefined> {
  return await failureOf(`tool server "${name}"`, async () => {
    const values = Object.entries(spec.kind === 'http' ? (spec.headers ?? {}) : (spec.env ?? {}));
    const resolved = await Promise.all(values.map(async ([key, value]) => [key, await secretsOf(env).resolve(value)] as const));
    if (spec.kind === 'http') return void proxyFor(spec.url, env, 'tool.failed');
    const [program = ''] = spec.command;
    // A relative path is resolved in the step's folder, which is not known yet.
    const isOfFolder = program.includes('/') && !program.startsWith('/');
    const { PATH = '' } = commandEnvironment(env, Object.fromEntries(resolved));
    if (isOfFolder || (await findProgram(program, PATH)) !== undefined) return;
    throw new ThermidorFailure('tool.failed', `the program "${program}" of the tool server "${name}" is not installed`);
  });
}

/** Secrets as a worker with that environment looks them up. */
export function secretsOf(env: NodeJS.ProcessEnv): LocalSecrets {
  return new LocalSecrets(env);
}

/** @param whose named if the failure does not name it: a secret, for example, does not know its user */
async function failureOf(whose: string, look: () => Promise<unknown>): Promise<MissingRequirement | undefined> {
  try {
    await look();
    return undefined;
  } catch (error) {
    if (!(error instanceof ThermidorFailure)) throw error;
    return { code: error.code, says: error.message.includes(whose) ? error.message : `${whose}: ${error.message}` };
  }
}
