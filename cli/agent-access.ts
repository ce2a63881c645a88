import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { EndpointSpec, ProgramSpec } from '../plan/adapter';
import { ThermidorFailure } from '../plan/failure';

/** Whether what an adapter needs is there: a service's key, a program. Nothing is asked of either, so it costs nothing. */

export interface Lacking {
  code: 'secret.missing' | 'adapter.unavailable' | 'model.bad-request';
  /** What is missing; never a key. */
  says: string;
}

/** As the worker would look it up. Undefined where nothing is missing. */
export async function endpointLacks(name: string, spec: EndpointSpec, env: NodeJS.ProcessEnv): Promise<Lacking | undefined> {
  const { resolveEndpoint } = require('../activities/adapters/model/endpoint') as typeof import('../activities/adapters/model/endpoint');
  const { LocalSecrets } = require('../activities/adapters/secrets') as typeof import('../activities/adapters/secrets');
  try {
    await resolveEndpoint({ name, spec, secrets: new LocalSecrets(env), env });
    return undefined;
  } catch (error) {
    if (!(error instanceof ThermidorFailure)) throw error;
    return { code: error.code === 'secret.missing' ? 'secret.missing' : 'model.bad-request', says: error.message };
  }
}

export function programLacks(name: string, spec: ProgramSpec, env: NodeJS.ProcessEnv): Lacking | undefined {
  const { commandOf, presetOf } =
    require('../activities/adapters/cli-agent/presets') as typeof import('../activities/adapters/cli-agent/presets');
  const preset = presetOf(name, spec);
  const [program = ''] = commandOf(preset, spec);
  if (isInstalled(program, env)) return undefined;
  const install = preset.install === undefined || spec.command !== undefined ? '' : `; install it: ${preset.install}`;
  return { code: 'adapter.unavailable', says: `the program "${program}" of adapter "${name}" is not installed${install}` };
}

/** A path that is not absolute depends on where a step works, and is taken for there. */
function isInstalled(program: string, env: NodeJS.ProcessEnv): boolean {
  if (isAbsolute(program)) return isExecutable(program);
  if (program.includes('/')) return true;
  return (env['PATH'] ?? '').split(delimiter).some((folder) => folder !== '' && isExecutable(join(folder, program)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
