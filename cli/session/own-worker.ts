import type { ThermidorClient } from '../../client/connect';
import { defined } from '../../plan/defined';
import { newIdentity } from '../embedded/leases';
import type { SessionOptions } from './session-options';
import { type OwnWorker, startOwnWorker } from './start-own-worker';
import { fileLog } from './worker-log';

/** A worker of a configured server for as long as a command runs. Steps that it leaves are taken up by the next. */
export function ensureOwnWorker(options: SessionOptions, { address, namespace }: ThermidorClient): Promise<OwnWorker> {
  const { configuration, queues, pipelineDirs = [] } = options;
  const identity = newIdentity();
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
