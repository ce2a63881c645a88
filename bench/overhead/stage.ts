import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { acquireServer } from '../../cli/embedded/server';
import { makeBundles } from './bundles';
import type { Side } from './sample';
import { startWorkerProcess } from './worker-handle';

/** Where both sides are measured: one embedded server on an empty database, one worker process each. */
export interface Stage {
  client: Client;
  ours: Side;
  reference: Side;
  /** What a reader must know of the machine. */
  machine: string;
}

export interface StageOptions {
  profileDir?: string;
  say(line: string): void;
}

const NAMESPACE = 'default';
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Leaves no process and no file behind, also where it is interrupted. */
export async function onStage<T>({ profileDir, say }: StageOptions, play: (stage: Stage) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'thermidor-bench-'));
  const endings: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const clear = async (): Promise<void> => {
    for (let end = endings.pop(); end !== undefined; end = endings.pop()) await end();
  };
  const interrupted = (): void => {
    void clear().finally(() => process.exit(130));
  };
  for (const signal of SIGNALS) process.once(signal, interrupted);
  try {
    const server = await acquireServer({ stateDir: folder, role: 'look', onProgress: say });
    endings.push(() => server.release());
    const { address } = server;
    const connection = await Connection.connect({ address });
    endings.push(() => connection.close());
    const client = new Client({ connection, namespace: NAMESPACE });
    const bundles = await makeBundles(folder);
    const join = async (side: Omit<Side, 'worker' | 'taskQueue'>, bundle: string, payloadConverter?: string): Promise<Side> => {
      const spec = { address, namespace: NAMESPACE, taskQueue: side.name, bundle, ...(payloadConverter ? { payloadConverter } : {}) };
      const worker = await startWorkerProcess(spec, profileDir);
      endings.push(() => worker.stop());
      return { ...side, taskQueue: side.name, worker };
    };
    const ours = await join({ name: 'ours', workflowType: ({ name }) => name, input: () => ({}) }, bundles.ours, bundles.payloadConverter);
    const reference = await join(
      { name: 'reference', workflowType: ({ order }) => order, input: ({ steps }) => ({ steps }) },
      bundles.reference,
    );
    const { serverVersion } = await client.workflowService.getSystemInfo({});
    const machine = `Node ${process.version}, Temporal server ${serverVersion}, ${process.platform} ${process.arch}, ${availableParallelism()} cores`;
    return await play({ client, ours, reference, machine });
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupted);
    await clear();
  }
}
