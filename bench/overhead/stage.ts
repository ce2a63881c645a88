import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { acquireServer } from '../../cli/embedded/server';
import { Interrupted } from '../bench';
import { makeBundles } from './bundles';
import type { Side } from './sample';
import { startWorkerProcess } from './worker-handle';
import type { WorkerSpec } from './worker-messages';

/** Where both sides are measured: one server, embedded and on an empty database unless one is named, and one worker process each. */
export interface Stage {
  client: Client;
  ours: Side;
  reference: Side;
  /** Notes on the machine for the reader. */
  machine: string;
}

export interface StageOptions {
  memory: boolean;
  /** A server that runs already. */
  address?: string;
  profileDir?: string;
  say(line: string): void;
}

/** Files in this folder are in memory, so a sync does not wait. */
const MEMORY = '/dev/shm';
const NAMESPACE = 'default';
/** Names of equal length, because they are in two of a step's events. */
const TASK_QUEUES: Readonly<Record<Side['name'], string>> = { ours: 'bench-1', reference: 'bench-2' };
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Leaves no process and no file behind, even if it is interrupted: then it fails with Interrupted. */
export async function onStage<T>(
  { memory, address: given, profileDir, say }: StageOptions,
  play: (stage: Stage) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(memory ? MEMORY : tmpdir(), 'thermidor-bench-'));
  const endings: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  let interrupt = (): void => undefined;
  const interrupted = new Promise<never>((_, reject) => {
    interrupt = () => reject(new Interrupted('interrupted'));
  });
  // The set-up is short and ends by itself; only the play is broken off.
  interrupted.catch(() => undefined);
  for (const signal of SIGNALS) process.once(signal, interrupt);
  const ownServer = async (): Promise<string> => {
    const server = await acquireServer({ stateDir: folder, role: 'look', onProgress: say });
    endings.push(() => server.release());
    return server.address;
  };
  try {
    const address = given ?? (await ownServer());
    const connection = await Connection.connect({ address });
    endings.push(() => connection.close());
    const client = new Client({ connection, namespace: NAMESPACE });
    const bundles = await makeBundles(folder);
    const onSide = async (side: Omit<Side, 'worker'>, code: Pick<WorkerSpec, 'bundle' | 'payloadConverter' | 'named'>): Promise<Side> => {
      const worker = await startWorkerProcess({ address, namespace: NAMESPACE, taskQueue: side.taskQueue, ...code }, profileDir);
      endings.push(() => worker.stop());
      return { ...side, worker };
    };
    const ours = await onSide(
      { name: 'ours', taskQueue: TASK_QUEUES.ours, workflowType: ({ name }) => name, input: () => ({}) },
      { bundle: bundles.ours, payloadConverter: bundles.payloadConverter, named: true },
    );
    const reference = await onSide(
      { name: 'reference', taskQueue: TASK_QUEUES.reference, workflowType: ({ order }) => order, input: ({ steps }) => ({ steps }) },
      { bundle: bundles.reference, named: true },
    );
    const { serverVersion } = await client.workflowService.getSystemInfo({});
    const machine = `Node ${process.version}, Temporal server ${serverVersion}, ${process.platform} ${process.arch}, ${availableParallelism()} cores, ${given === undefined ? `database in ${memory ? 'memory' : tmpdir()}` : `at ${given}`}`;
    return await Promise.race([play({ client, ours, reference, machine }), interrupted]);
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt);
    for (const end of endings.reverse()) {
      try {
        await end();
      } catch (error) {
        // The others still have something to end.
        say(`after the bench: ${String(error)}`);
      }
    }
  }
}
