import { readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { BinarySource, BinarySourceAnswer } from './binary-source';
import { fetchIntoCache } from './cache';
import { checked } from './installed-binary';
import { runOtherProgram } from './program';

/**
 * The downloader inside Temporal's SDK, the official source. It downloads only in order to start a server, and can't be cancelled; so it
 * runs in a process of its own, which starts a server in memory, stops it and leaves the binary behind.
 *
 * It is given up when nothing arrives for STALL_MS, so that a machine without Internet access does not wait longer.
 */
const SDK_NAME = 'sdk-typescript';
const SDK_VERSION = '1.24.0';
export const SDK_ORIGIN = `sdk-${SDK_VERSION}`;
const STALL_MS = 8_000;
const TIMEOUT_MS = 10 * 60_000;

/** Arguments: the bridge's path, the folder, the SDK's name and version. The file's name is the SDK's own choice. */
const PROGRAM = `
const [bridge, downloadDir, sdkName, sdkVersion] = process.argv.slice(1);
const { native } = require(bridge);
const runtime = native.newRuntime({
  logExporter: { type: 'console', filter: 'error', format: null },
  telemetry: { attachServiceName: false, metricPrefix: '' },
  metricsExporter: null,
  workerHeartbeatIntervalMillis: null,
});
native
  .newEphemeralServer(runtime, {
    type: 'dev-server',
    exe: { type: 'cached-download', downloadDir, version: 'default', ttl: 86400000, sdkName, sdkVersion },
    namespace: 'default',
    ip: '127.0.0.1',
    port: null,
    uiPort: null,
    dbFilename: null,
    ui: false,
    log: { format: 'pretty', level: 'error' },
    extraArgs: [],
  })
  .then((server) => native.ephemeralServerShutdown(server))
  .then(() => process.exit(0), (error) => {
    // The chain of causes repeats itself, and with it a long query.
    const causes = String(error.message).replace(/[?][^)\\s]*/g, '').split(/: |\\n/);
    process.stderr.write([...new Set(causes)].join(': ') + '\\n', () => process.exit(1));
  });
`;

export const sdkDownloader: BinarySource = {
  name: 'the downloader of the Temporal SDK',
  async find({ env, onProgress }) {
    const bridge = bridgePath();
    if (bridge === undefined) return { said: '@temporalio/worker is not installed' };
    onProgress('getting the Temporal server from its maker (once) …');
    return fetchIntoCache(SDK_ORIGIN, env, (scratch) => download(bridge, scratch, env));
  },
};

async function download(bridge: string, scratch: string, env: NodeJS.ProcessEnv): Promise<BinarySourceAnswer> {
  const stall = new AbortController();
  let last = { sizeBytes: 0, at: Date.now() };
  const watch = setInterval(() => {
    const sizeBytes = sizeOf(scratch);
    if (sizeBytes !== last.sizeBytes) last = { sizeBytes, at: Date.now() };
    else if (Date.now() - last.at > STALL_MS) stall.abort(`nothing arrived within ${STALL_MS / 1000} s`);
  }, 250);
  try {
    const args = ['-e', PROGRAM, bridge, scratch, SDK_NAME, SDK_VERSION];
    const answer = await runOtherProgram(process.execPath, args, { env, timeoutMs: TIMEOUT_MS, signal: stall.signal });
    // The file has its final name once it is complete; whether the start that follows works does not matter here.
    const file = readdirSync(scratch).find((name) => !name.endsWith('.downloading'));
    return file === undefined ? { said: answer.said ?? 'it produced no binary' } : checked(join(scratch, file), env);
  } finally {
    clearInterval(watch);
  }
}

function sizeOf(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0), 0);
}

/** The bridge is a dependency of the worker, not ours: it is asked for from there. Finding it loads nothing. */
function bridgePath(): string | undefined {
  try {
    return createRequire(require.resolve('@temporalio/worker')).resolve('@temporalio/core-bridge');
  } catch {
    return undefined;
  }
}
