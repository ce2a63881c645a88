import { join } from 'node:path';
import type { BinarySource } from './binary-source';
import { fetchIntoCache } from './cache';
import { findOnPath, runOtherProgram } from './program';

/**
 * Builds the CLI from source. 1.5.1 is the last version that `go install` takes: from 1.6 on its go.mod has a `replace`.
 * Modules are checked by Go's own checksum database.
 */
const VERSION = '1.5.1';
export const GO_ORIGIN = `go-${VERSION}`;
const MODULE = `github.com/temporalio/cli/cmd/temporal@v${VERSION}`;
const TIMEOUT_MS = 20 * 60_000;

export const goInstall: BinarySource = {
  name: `go install ${MODULE}`,
  async find({ env, onProgress }) {
    const go = findOnPath('go', env);
    if (go === undefined) return { said: 'go is not on the PATH' };
    return fetchIntoCache(GO_ORIGIN, env, async (scratch) => {
      onProgress('building the Temporal server with Go (some minutes, once) …');
      // GOBIN refuses to work together with a foreign GOOS or GOARCH, and flags of the user's own may break a build.
      const { GOOS: _os, GOARCH: _arch, GOFLAGS: _flags, ...own } = env;
      const answer = await runOtherProgram(go, ['install', MODULE], {
        env: { ...own, CGO_ENABLED: '0', GOBIN: scratch },
        timeoutMs: TIMEOUT_MS,
      });
      return answer.said === undefined ? { path: join(scratch, 'temporal') } : answer;
    });
  },
};
