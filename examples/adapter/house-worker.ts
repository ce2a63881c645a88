import { startWorker } from '../../worker';
import { houseAdapter } from './house-adapter';

/** A worker of our own, next to or in place of those that `thermidor worker` starts. */
export async function startHouseWorker(address: string, url: string, key: string): Promise<() => Promise<void>> {
  const worker = await startWorker({
    address,
    namespace: 'default',
    taskQueue: 'thermidor',
    identity: `house-${process.pid}`,
    stateDir: '.thermidor',
    pipelineDirs: ['.'],
    channels: {},
    ownAdapters: [houseAdapter({ url, key })],
    defaultAdapter: 'house',
    mode: 'full',
    log: (level, message) => void process.stderr.write(`${level} ${message}\n`),
  });
  return worker.shutdown;
}
