import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { acquireServer } from '../../cli/embedded/server';
import type { Bench, BenchOptions } from '../bench';
import { git } from '../caid/git-command';
import { commandLine, distFolder, profiling } from '../compile/stage';
import type { Figure } from '../figure';
import { historyOnServer } from '../overhead/history';
import { runProgramWell } from '../run-program';
import { inScratch, type Scratch } from '../scratch';
import { PATTERN_CASES, type PatternCase } from './cases';
import { type PatternSample, type PatternSamples, patternFigures } from './figures';

/**
 * What a pattern costs compared with the same steps without it: whole runs as a user makes them, with real ledger and journal, scripted
 * agents and commands that do nothing.
 *
 * Invariants: 1. one run is measured at a time, by a worker of its own, on one server; 2. both sides take turns, and the first one changes
 * with the round.
 */
export const patterns: Bench = {
  name: 'patterns',
  doc: 'a stream of 1,000 items, a vote of five and 50 increments, each beside a pipeline written by hand for the same work',
  cases: PATTERN_CASES.map(({ name }) => name),
  measure: measurePatterns,
};

const SETTINGS = /^(TEMPORAL_|THERMIDOR_(?!TEMPORAL_CLI))/;
const SIDES = ['pattern', 'byHand'] as const;

function measurePatterns({ cases, rounds, say, profileDir }: BenchOptions): Promise<Figure[]> {
  return inScratch(async (scratch) => {
    say(`Node ${process.version}, ${process.platform} ${process.arch}, ${availableParallelism()} cores; medians of ${rounds}`);
    const samples = PATTERN_CASES.filter(({ name }) => cases.includes(name)).map(
      (one): PatternSamples => ({ case: one, pattern: [], byHand: [] }),
    );
    git(scratch.folder, 'init', '--quiet', '-b', 'main');
    git(scratch.folder, 'commit', '--quiet', '--allow-empty', '-m', 'First commit');
    const server = await acquireServer({ stateDir: join(scratch.folder, '.thermidor'), role: 'look', onProgress: say });
    try {
      const connection = await Connection.connect({ address: server.address });
      const client = new Client({ connection });
      for (let round = 1; round <= rounds; round += 1) {
        for (const measured of samples) {
          for (const side of round % 2 === 1 ? SIDES : [...SIDES].reverse()) {
            const sample = await measureRun(scratch, client, measured.case, side, `${measured.case.name}-${side}-${round}`, profileDir);
            measured[side].push(sample);
            say(`round ${round}/${rounds} ${measured.case.name} ${side}: ${sample.wallMs} ms, ${sample.events} events`);
          }
        }
      }
      await connection.close();
      return patternFigures(samples);
    } finally {
      await server.release();
    }
  });
}

async function measureRun(
  { folder, signal }: Scratch,
  client: Client,
  measured: PatternCase,
  side: (typeof SIDES)[number],
  id: string,
  profileDir: string | undefined,
): Promise<PatternSample> {
  const scripts = join(folder, 'pipelines', 'scripts');
  mkdirSync(scripts, { recursive: true });
  writeFileSync(join(folder, 'pipelines', `${id}.yaml`), JSON.stringify({ ...measured[side], name: id }));
  const replies = measured.replies?.[side];
  if (replies) writeFileSync(join(scripts, `${id}.yaml`), JSON.stringify({ replies }));
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !SETTINGS.test(name)));
  const words = ['run', id, '--id', id, ...(replies ? ['--script', id] : [])];
  await runProgramWell(process.execPath, [...profiling(profileDir), commandLine(distFolder()), ...words], { cwd: folder, signal, env });
  const { runId } = await client.workflow.getHandle(id).describe();
  return await sampleOf(client, id, runId);
}

/** A long run continues as new: it begins with its first execution. */
async function sampleOf(client: Client, id: string, lastRunId: string): Promise<PatternSample> {
  const last = await client.workflow.getHandle(id, lastRunId).describe();
  const firstRunId = last.raw.workflowExecutionInfo?.firstRunId;
  if (!firstRunId || !last.closeTime) throw new Error(`the run ${id} has not ended`);
  const first = await client.workflow.getHandle(id, firstRunId).describe();
  const { events } = await historyOnServer(client, id, firstRunId);
  return { wallMs: last.closeTime.getTime() - first.startTime.getTime(), events };
}
