import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { connectClient, type ThermidorClient } from '../../client/connect';
import { startRun } from '../../client/start-run';
import type { Bench, BenchOptions } from '../bench';
import { commandLine, distFolder } from '../compile/stage';
import type { Figure } from '../figure';
import { inScratch, type Scratch } from '../scratch';
import { AGENTS, agentText, CASE, DESK, NOTES, notesText, PIPELINE, pipelineText, settingsText } from './cases';
import { type AgentsSample, agentsFigures } from './figures';
import { type BenchProcess, startService, startWorker } from './processes';

const LOOK_MS = 250;

interface Beats {
  /** The longest that any activity in progress had been without a heartbeat, according to the server, in seconds. */
  oldestS: number;
  /** The most activities that were in progress at once. */
  atOnce: number;
}

/** Watches a run's activities until it is stopped. Server and bench share one clock, because they are on one machine. */
async function watchHeartbeats({ workflowService, options }: Client, workflowId: string, signal: AbortSignal): Promise<Beats> {
  const seen: Beats = { oldestS: 0, atOnce: 0 };
  const { namespace } = options;
  while (!signal.aborted) {
    const { pendingActivities } = await workflowService.describeWorkflowExecution({ namespace, execution: { workflowId } });
    const now = Date.now();
    const alive = (pendingActivities ?? []).flatMap(
      // An activity that waits for its turn has neither.
      ({ lastHeartbeatTime, lastStartedTime }) => timeMs(lastHeartbeatTime ?? lastStartedTime) ?? [],
    );
    seen.atOnce = Math.max(seen.atOnce, alive.length);
    for (const at of alive) seen.oldestS = Math.max(seen.oldestS, (now - at) / 1000);
    await wait(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
  return seen;
}

function timeMs(time: { seconds?: unknown; nanos?: number | null } | null | undefined): number | undefined {
  return time ? Number(time.seconds ?? 0) * 1000 + (time.nanos ?? 0) / 1e6 : undefined;
}

/**
 * What many agents at once cost their one worker, as a user would run it: `thermidor up`, and a service over the network.
 *
 * Invariants: 1. the service and the server are processes of their own: their cost is not the worker's; 2. each round has a worker of its
 * own, so that its memory is that of one run; 3. the worker's start is not measured, but the first run is.
 */
export const agents: Bench = {
  name: 'agents',
  doc: `${AGENTS} agent steps at once on one worker: memory, heartbeats, stalls of the event loop`,
  cases: [CASE],
  measure: measureAgents,
};

const RUN = `${PIPELINE}-20260101-000001`;

function measureAgents({ rounds, say, profileDir }: BenchOptions): Promise<Figure[]> {
  return inScratch(async (scratch) => {
    say(`Node ${process.version}, ${process.platform} ${process.arch}, ${availableParallelism()} cores; medians of ${rounds}`);
    const service = await startService(scratch.signal);
    try {
      const samples: AgentsSample[] = [];
      for (let round = 1; round <= rounds; round += 1) {
        service.begin();
        const measured = await measureOnce(scratch, service.url, profileDir);
        const { requests } = await service.report('served');
        const sample = { ...measured, requests };
        samples.push(sample);
        say(`round ${round}/${rounds} ${inWords(sample)}`);
      }
      return agentsFigures(samples);
    } finally {
      await service.end();
    }
  });
}

type Measured = Omit<AgentsSample, 'requests'>;

async function measureOnce(scratch: Scratch, url: string, profileDir: string | undefined): Promise<Measured> {
  const { signal } = scratch;
  const worker = await startWorker({ program: commandLine(distFolder()), folder: farm(scratch, url), signal, profileDir });
  try {
    const client = await connectClient({ address: worker.address, namespace: 'default' });
    try {
      return await Promise.race([measureRun(client, worker), worker.lost]);
    } finally {
      await client.close();
    }
  } finally {
    await worker.end();
  }
}

async function measureRun(client: ThermidorClient, worker: BenchProcess): Promise<Measured> {
  const over = new AbortController();
  let beats: Promise<Beats> | undefined;
  try {
    worker.begin();
    const begunMs = performance.now();
    await startRun(client, { workflowId: RUN, pipeline: PIPELINE });
    beats = watchHeartbeats(client.temporal, RUN, over.signal);
    await Promise.race([client.temporal.workflow.getHandle(RUN).result(), beats]);
    const wallMs = performance.now() - begunMs;
    over.abort();
    const { oldestS, atOnce } = await beats;
    const { kind: _kind, ...figures } = await worker.report('measured');
    return { ...figures, heartbeatS: oldestS, atOnce, wallMs };
  } finally {
    over.abort();
    // It failed together with the server, and the first failure is reported.
    await beats?.catch(() => undefined);
  }
}

/** A folder with state of its own, the pipeline, its agent, and the files that it reads. */
function farm({ folder }: Scratch, url: string): string {
  const path = mkdtempSync(join(folder, 'agents-'));
  for (const below of ['pipelines/agents', DESK, '.thermidor']) mkdirSync(join(path, below), { recursive: true });
  writeFileSync(join(path, 'thermidor.yaml'), settingsText(url));
  writeFileSync(join(path, 'pipelines', `${PIPELINE}.yaml`), pipelineText());
  writeFileSync(join(path, 'pipelines', 'agents', 'clerk.yaml'), agentText());
  writeFileSync(join(path, DESK, NOTES), notesText());
  return path;
}

function inWords({ peakMb, stallMs, ownStallMs, heartbeatS, atOnce, wallMs, cpuMs, requests }: AgentsSample): string {
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  const stalls = `stall ${stallMs.toFixed(0)} ms, at most ${ownStallMs.toFixed(0)} ms its own`;
  const amounts = `${peakMb.toFixed(0)} MB, ${stalls}, heartbeat ${heartbeatS.toFixed(1)} s`;
  return `${amounts}, ${atOnce} at once, ${seconds(wallMs)}, CPU ${seconds(cpuMs)}, ${requests} requests`;
}
