import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectClient } from '../../client/connect';
import type { PostgresPlace } from '../../records/postgres/postgres-place';
import { startWorker } from '../agents/processes';
import type { Bench, BenchOptions } from '../bench';
import { commandLine, distFolder } from '../compile/stage';
import type { Figure } from '../figure';
import { runProgramWell } from '../run-program';
import { inScratch, type Scratch } from '../scratch';
import { SCRIPT, STORE_CASES, type StoreCase, scriptText, WARM_UP } from './cases';
import { type StoreSamples, storeFigures } from './figures';
import { LISTS_CASE, listFigures } from './lists';
import { PostgresServer, postgresBinaries } from './postgres-server';

/**
 * What a store on PostgreSQL costs next to a folder: the same pipelines, as a user would run them, by `thermidor up` with either store.
 *
 * Invariants: 1. both stores are on the same disk, and sync what they must; 2. at any time one side works and the other is idle; they take
 * turns, and the first one changes with the round.
 */
export const store: Bench = {
  name: 'store',
  doc: 'runs with their records in a PostgreSQL database, next to the same runs with their records in a folder; lists of many',
  cases: [...STORE_CASES.map(({ name }) => name), LISTS_CASE],
  measure: measureStore,
};

type Side = 'folder' | 'database';

/** `thermidor up` in a folder, with either store. */
interface Stage {
  side: Side;
  /** @returns how long the run took by the server's clock, in milliseconds */
  run(wanted: StoreCase, id: string): Promise<number>;
  end(): Promise<void>;
}

async function measureStore({ cases, rounds, memory, profileDir, say }: BenchOptions): Promise<Figure[]> {
  if (postgresBinaries === undefined) {
    say('left out, because there is no PostgreSQL here: install version 13 or later');
    return [];
  }
  const base = memory ? '/dev/shm' : tmpdir();
  return await inScratch(async (scratch) => {
    say(`Node ${process.version}, ${process.platform} ${process.arch}, ${availableParallelism()} cores; medians of ${rounds}`);
    const postgres = await PostgresServer.start({ folder: base });
    const lists: Figure[] = [];
    const stages: Stage[] = [];
    try {
      if (cases.includes(LISTS_CASE)) {
        const { folder } = scratch;
        lists.push(...(await listFigures({ folder }, rounds, say)));
        lists.push(...(await listFigures({ folder, postgres: await postgres.store() }, rounds, say)));
        if (cases.length === 1) return lists;
      }
      stages.push(await openStage(scratch, profileDir));
      stages.push(await openStage(scratch, profileDir, await postgres.store()));
      for (const stage of stages) await stage.run(WARM_UP, 'warm-up');
      const samples = STORE_CASES.filter(({ name }) => cases.includes(name)).map(
        (each): StoreSamples => ({ case: each, folder: [], database: [] }),
      );
      for (let round = 1; round <= rounds; round += 1) {
        for (const sample of samples) {
          for (const stage of round % 2 === 1 ? stages : [...stages].reverse()) {
            const wallMs = await stage.run(sample.case, `${sample.case.name}-${round}`);
            sample[stage.side].push(wallMs);
            say(`round ${round}/${rounds} ${sample.case.name} ${stage.side}: ${(wallMs / 1000).toFixed(2)} s`);
          }
        }
      }
      return [...storeFigures(samples), ...lists];
    } finally {
      for (const stage of stages) await stage.end();
      await postgres.stop();
    }
  }, base);
}

async function openStage(scratch: Scratch, profileDir: string | undefined, place?: PostgresPlace): Promise<Stage> {
  const folder = farm(scratch, place);
  const program = commandLine(distFolder());
  const worker = await startWorker({ program, folder, signal: scratch.signal, profileDir });
  const client = await connectClient({ address: worker.address, namespace: 'default' });
  return {
    side: place ? 'database' : 'folder',
    async run({ name, isScripted }, id) {
      const words = ['run', name, '--id', id, ...(isScripted ? ['--script', SCRIPT] : [])];
      await runProgramWell(process.execPath, [program, ...words], { cwd: folder, signal: scratch.signal });
      const { startTime, closeTime } = await client.temporal.workflow.getHandle(id).describe();
      if (!closeTime) throw new Error(`the run ${id} has not ended`);
      return closeTime.getTime() - startTime.getTime();
    },
    async end() {
      await client.close();
      await worker.end();
    },
  };
}

/** A folder with state of its own, the pipelines and the script. */
function farm({ folder }: Scratch, place?: PostgresPlace): string {
  const path = mkdtempSync(join(folder, 'store-'));
  for (const below of ['pipelines/scripts', '.thermidor']) mkdirSync(join(path, below), { recursive: true });
  const secret = join(path, 'secret');
  writeFileSync(secret, 'a secret of the bench that all its processes share', { mode: 0o600 });
  const settings = place && { store: place.url, store_schema: place.schema, callbacks: { secret: `secret://file/${secret}` } };
  writeFileSync(join(path, 'thermidor.yaml'), settings ? JSON.stringify(settings) : '');
  for (const { name, pipeline } of [WARM_UP, ...STORE_CASES]) writeFileSync(join(path, 'pipelines', `${name}.yaml`), pipeline);
  writeFileSync(join(path, 'pipelines', 'scripts', `${SCRIPT}.yaml`), scriptText());
  return path;
}
