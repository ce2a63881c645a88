import { execFile } from 'node:child_process';
import { presetOf } from '../../activities/adapters/cli-agent/presets';
import { commandEnvironment } from '../../activities/adapters/processes/process-environment';
import type { AdapterSpec, ProgramSpec } from '../../plan/agents/adapter';
import { defined } from '../../plan/defined';
import { ThermidorFailure } from '../../plan/run/failure';
import { type AgentProgram, findAgentProgram } from '../serving/agent-requirements';

/** A coding agent's program that is installed here. */
export interface CodingAgent {
  /** Its adapter's name. */
  name: string;
  /** Undefined if it cannot be asked. */
  loggedIn?: boolean;
}

const ANSWER_MS = 5_000;
/** A variable of this name that is set logs a program in. */
const KEY = /(_KEY|_TOKEN|_CREDENTIALS)$/;
const VERSION = /\d+\.\d+\.\d+/;

/** The programs for which there is a preset, in the order of the settings. `doctor` reports what is missing for each. */
export async function findCodingAgents(specs: ReadonlyMap<string, AdapterSpec>, env: NodeJS.ProcessEnv): Promise<CodingAgent[]> {
  const programs = [...specs].flatMap(([name, spec]): [string, ProgramSpec][] =>
    spec.kind === 'cli' && spec.preset !== undefined ? [[name, spec]] : [],
  );
  return (await Promise.all(programs.map(([name, spec]) => look(name, spec, env)))).flat();
}

/** The first that somebody is logged in to; else the first that may be; else the first. */
export function bestOf(agents: readonly CodingAgent[]): CodingAgent | undefined {
  return agents.find(({ loggedIn }) => loggedIn === true) ?? agents.find(({ loggedIn }) => loggedIn === undefined) ?? agents[0];
}

async function look(name: string, spec: ProgramSpec, env: NodeJS.ProcessEnv): Promise<CodingAgent[]> {
  const program = await findAgentProgram(name, spec, env).catch((error: unknown) => {
    if (!(error instanceof ThermidorFailure)) throw error;
  });
  if (program?.file === undefined) return [];
  const loggedIn = await isLoggedIn(name, spec, { ...program, file: program.file }, env);
  return [{ name, ...defined({ loggedIn }) }];
}

async function isLoggedIn(
  name: string,
  spec: ProgramSpec,
  { file, searched }: AgentProgram & { file: string },
  env: NodeJS.ProcessEnv,
): Promise<boolean | undefined> {
  const { loginStatus, passEnv, tried, version } = presetOf(name, spec);
  const passed = Object.fromEntries(passEnv.flatMap((variable) => (env[variable] ? [[variable, env[variable]]] : [])));
  if (Object.keys(passed).some((variable) => KEY.test(variable))) return true;
  if (loginStatus === undefined) return undefined;
  const own = { ...commandEnvironment(env, passed), PATH: searched };
  const installed = VERSION.exec((await ask(file, version, own)).stdout)?.[0];
  // An older version may take unknown words for a task, and do it.
  if (installed === undefined || !tried.some((one) => one.localeCompare(installed, 'en', { numeric: true }) <= 0)) return undefined;
  const { code } = await ask(file, loginStatus, own);
  return code === 0 ? true : code === 1 ? false : undefined;
}

/** Runs a program and returns its output and exit code; one that hangs has no code. */
async function ask(file: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<{ code?: unknown; stdout: string }> {
  return await new Promise((resolve) => {
    const program = execFile(file, [...words], { env, timeout: ANSWER_MS, killSignal: 'SIGKILL' }, (error, stdout) =>
      resolve({ code: error === null ? 0 : error.code, stdout }),
    );
    program.stdin?.end();
  });
}
