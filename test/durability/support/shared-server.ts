import { tmpdir } from 'node:os';
import { type DevServer, startDevServer } from './dev-server';

/**
 * One Temporal server of a suite, for the folders whose tests neither kill a server nor look at its start. Each gets a namespace of its
 * own, and sees nothing of the others'.
 */
export interface SharedNamespace {
  address: string;
  namespace: string;
  /** Once nothing of its runs is asked for any more. */
  release(): Promise<void>;
}

/** More than a suite has folders. */
const NAMESPACES = Array.from({ length: 24 }, (_, n) => `folder-${n + 1}`);

let server: Promise<DevServer> | undefined;
let taken = 0;
let inUse = 0;
let isOver = false;

afterAll(async () => {
  isOver = true;
  await stopUnused();
});

export async function takeNamespace(binary: string, env: NodeJS.ProcessEnv): Promise<SharedNamespace> {
  const namespace = NAMESPACES[taken++];
  if (namespace === undefined) throw new RangeError(`a suite has ${NAMESPACES.length} namespaces, and this one needs more`);
  inUse += 1;
  server ??= startDevServer({ binary, env, cwd: tmpdir(), namespaces: NAMESPACES });
  const { address } = await server;
  const release = async (): Promise<void> => {
    inUse -= 1;
    await stopUnused();
  };
  return { address, namespace, release };
}

/** A suite of one file closes its folder after the hook above. */
async function stopUnused(): Promise<void> {
  if (!isOver || inUse > 0) return;
  await (await server)?.program.destroy();
  server = undefined;
}
