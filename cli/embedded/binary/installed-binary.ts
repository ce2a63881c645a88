import type { BinarySource, BinarySourceAnswer } from './binary-source';
import { cachedBinary, cacheFolder } from './cache';
import { findOnPath, runOtherProgram } from './program';

/** The ways that fetch nothing: a binary somebody chose, one on the PATH, one fetched before. */
const BINARY_SETTING = 'THERMIDOR_TEMPORAL_CLI';

export const chosenBinary: BinarySource = {
  name: BINARY_SETTING,
  async find({ env, onProgress }) {
    const path = env[BINARY_SETTING];
    if (path === undefined || path === '') return { said: 'not set' };
    const answer = await checked(path, env);
    // Somebody meant it, so another binary must not take its place in silence.
    if (answer.said !== undefined) onProgress(`${BINARY_SETTING} is set but unusable: ${answer.said}`);
    return answer;
  },
};

export const binaryOnPath: BinarySource = {
  name: 'temporal on the PATH',
  async find({ env }) {
    const path = findOnPath('temporal', env);
    return path === undefined ? { said: 'not there' } : checked(path, env);
  },
};

export function cachedBinaryOf(origins: readonly string[]): BinarySource {
  return {
    name: 'the cache',
    async find({ env }) {
      for (const origin of origins) {
        const path = cachedBinary(origin, env);
        if (path !== undefined) return { path };
      }
      return { said: `nothing in ${cacheFolder(env)} yet` };
    },
  };
}

const CHECK_TIMEOUT_MS = 10_000;

/** Checks that the binary can start a dev server on a file; versions are not compared, because a self-built one has none. */
export async function checked(path: string, env: NodeJS.ProcessEnv): Promise<BinarySourceAnswer> {
  const help = await runOtherProgram(path, ['server', 'start-dev', '--help'], { env, timeoutMs: CHECK_TIMEOUT_MS });
  if (help.said !== undefined) return { said: `${path} does not support "server start-dev": ${help.said}` };
  return help.stdout.includes('--db-filename') ? { path } : { said: `${path} is not a Temporal CLI with a dev server` };
}
