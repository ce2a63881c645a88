import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { connectClient, type ThermidorClient } from '../../client/connect';
import { startRun } from '../../client/start-run';
import { startWorker } from '../agents/processes';
import type { BenchOptions } from '../bench';
import { commandLine, distFolder } from '../compile/stage';
import type { Scratch } from '../scratch';
import { RUNS, WAITING_PIPELINE } from './cases';
import type { WaitingSample } from './figures';

const STARTED_AT_ONCE = 25;
const LOOK_MS = 2000;

/** The most that `thermidor up` had while the runs came to their gates and waited there. */
export async function measureWaiting({ folder, signal }: Scratch, say: BenchOptions['say'], profileDir?: string): Promise<WaitingSample> {
  const place = mkdtempSync(join(folder, 'waiting-'));
  for (const below of ['pipelines', '.thermidor']) mkdirSync(join(place, below));
  const text = `name: ${WAITING_PIPELINE}\nsteps:\n  - {id: ask, type: approval, prompt: Shall it go on?, approvers: anyone}\n`;
  writeFileSync(join(place, 'pipelines', `${WAITING_PIPELINE}.yaml`), text);
  const worker = await startWorker({ program: commandLine(distFolder()), folder: place, signal, profileDir });
  try {
    const client = await connectClient({ address: worker.address, namespace: 'default' });
    try {
      const waiting = await Promise.race([startAll(client, signal, say), worker.lost]);
      const { peakMb } = await worker.report('measured');
      return { peakMb, waiting };
    } finally {
      await client.close();
    }
  } finally {
    await worker.end();
  }
}

/** Starts the runs and returns how many wait, once all do. */
async function startAll(client: ThermidorClient, signal: AbortSignal, say: BenchOptions['say']): Promise<number> {
  for (let from = 0; from < RUNS; from += STARTED_AT_ONCE) {
    const some = Array.from({ length: Math.min(STARTED_AT_ONCE, RUNS - from) }, (_, i) => String(from + i).padStart(6, '0'));
    await Promise.all(some.map((n) => startRun(client, { workflowId: `${WAITING_PIPELINE}-20260101-${n}`, pipeline: WAITING_PIPELINE })));
  }
  say(`${RUNS} runs started`);
  for (;;) {
    const { count } = await client.temporal.workflow.count("ThermidorState = 'waiting'");
    if (count >= RUNS) return count;
    await wait(LOOK_MS, undefined, { signal });
  }
}
