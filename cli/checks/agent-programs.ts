import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { presetOf } from '../../activities/adapters/cli-agent/presets';
import { commandEnvironment } from '../../activities/adapters/processes/process-environment';
import type { AdapterSpec, ProgramSpec } from '../../plan/agents/adapter';
import { findAgentProgram } from '../serving/agent-requirements';
import { type Check, errorMessageOf } from './check';

const VERSION_MS = 5_000;

/**
 * Checks which agents' programs are installed, their versions, and whether our preset was tried with them. A missing program of a built-in
 * adapter is no failure; that of a wanted one is. Programs are asked for their version only.
 *
 * @param wanted names of the adapters that are set up, the default, or an agent's
 */
export async function checkAgentPrograms(
  specs: ReadonlyMap<string, AdapterSpec>,
  wanted: ReadonlySet<string>,
  env: NodeJS.ProcessEnv,
): Promise<Check[]> {
  const programs = [...specs].flatMap(([name, spec]): [string, ProgramSpec][] => (spec.kind === 'cli' ? [[name, spec]] : []));
  const found = await Promise.all(programs.map(async ([name, spec]) => ({ name, check: await checkProgram(name, spec, env) })));
  const isIdle = ({ name, check }: (typeof found)[number]) => check.state === 'failed' && !wanted.has(name);
  const shown = found.filter((one) => !isIdle(one)).map(({ check }) => check);
  const missing = found.filter(isIdle).map(({ name }) => name);
  if (missing.length === 0) return shown;
  return [...shown, { name: 'agent programs', state: 'ok', says: `not installed: ${missing.join(', ')}` }];
}

async function checkProgram(adapter: string, spec: ProgramSpec, env: NodeJS.ProcessEnv): Promise<Check> {
  const name = `program ${adapter}`;
  const mend = `fix adapters.${adapter} in thermidor.yaml`;
  try {
    const { word, file, install, searched } = await findAgentProgram(adapter, spec, env);
    if (file === undefined) return { name, state: 'failed', says: `"${word}" was not found`, hint: install ?? mend };
    return await checkVersion({ name, adapter, spec, word, file }, { ...env, PATH: searched });
  } catch (error) {
    return { name, state: 'failed', says: errorMessageOf(error), hint: mend };
  }
}

interface Found {
  name: string;
  adapter: string;
  spec: ProgramSpec;
  word: string;
  file: string;
}

async function checkVersion({ name, adapter, spec, word, file }: Found, env: NodeJS.ProcessEnv): Promise<Check> {
  // How a custom program treats a flag that it does not know is unknown.
  if (spec.preset === undefined) return { name, state: 'ok', says: file };
  const preset = presetOf(adapter, spec);
  try {
    const options = { timeout: VERSION_MS, killSignal: 'SIGKILL', env: commandEnvironment(env, {}) } as const;
    const { stdout } = await promisify(execFile)(file, [...preset.version], options);
    const version = /\d+\.\d+[\w.-]*/.exec(stdout)?.[0] ?? (stdout.trim().split('\n')[0] || 'of an unknown version');
    return { name, state: 'ok', says: `${version}, ${file}; ${triedWords(preset.tried, version)}` };
  } catch (error) {
    const says = `${file} does not report its version: ${errorMessageOf(error).split('\n')[0]}`;
    return { name, state: 'warning', says, hint: `run \`${word} ${preset.version.join(' ')}\` yourself` };
  }
}

function triedWords(tried: readonly string[], version: string): string {
  if (tried.includes(version)) return 'this version was tested';
  return tried.length === 0 ? 'read according to its documentation; no version was tested' : `tested: ${tried.join(', ')}`;
}
