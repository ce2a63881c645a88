import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { ThermidorClient } from '../../client/connect';
import { defined } from '../../plan/defined';
import type { SessionOptions } from './session-options';
import { type OwnWorker, startOwnWorker } from './start-own-worker';
import { fileLog } from './worker-log';

/** Distinguishes the workers of a configured server. */
export function workerIdentity(): string {
  return `thermidor-${process.pid}-${randomBytes(3).toString('hex')}@${hostname()}`;
}

/** A worker of a configured server for as long as a command runs. Steps that it leaves are taken up by the next. */
export function ensureOwnWorker(options: SessionOptions, { address, namespace }: ThermidorClient): Promise<OwnWorker> {
  const { configuration, queues, pipelineDirs = [] } = options;
  const identity = workerIdentity();
  return startOwnWorker({
    configuration,
    address,
    namespace,
    identity,
    mode: 'full',
    log: fileLog(configuration.stateDir.value, identity),
    pipelineDirs,
    ...defined({ queues }),
  });
}
