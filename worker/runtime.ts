import { DefaultLogger, type LogEntry, type MetricsBuffer, Runtime } from '@temporalio/worker';
import type { Log, LogLevel } from '../activities/log';

let installed = false;

const HEARTBEAT_MS = 5_000;

const LEVELS: Readonly<Record<LogEntry['level'], LogLevel>> = {
  TRACE: 'debug',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
};

/**
 * Installs the SDK's runtime, once for the process: it keeps quiet but for warnings, which go to the log, and leaves signals
 * to the owner of the worker. The log and the buffer of the first call serve all workers of the process.
 */
export function installRuntime(log: Log, buffer?: MetricsBuffer): void {
  if (installed) return;
  installed = true;
  Runtime.install({
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => log(LEVELS[level], message, { ...meta })),
    telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' }, forward: {} }, ...(buffer ? { metrics: { buffer } } : {}) },
    shutdownSignals: [],
    // How old the last one is tells who is silent (client/workers.ts).
    workerHeartbeatInterval: HEARTBEAT_MS,
  });
}
