import { chmodSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunView } from '../../plan/run/status';
import { ROOT } from '../deploy/compose-file';
import { Program } from '../durability/support/program';
import { readJson } from '../durability/support/scratch';
import { until } from '../durability/support/until';
import { plainEnvironment } from './machine';
import { missingParts } from './parts';
import { Topology } from './topology';

/**
 * `npm run test:topology`: what `docker-compose.yml` starts, as plain processes: PostgreSQL, a Temporal server that is not the dev server,
 * two workers and the listener. No image is built.
 */
const SET_UP_MS = 3_600_000;
const TEST_MS = 600_000;
const STEPS = 200;
const BENCH = join(ROOT, 'dist/bench/main.js');

let topology: Topology;
let pipelines: string;
const say = (line: string): void => void process.stderr.write(`${line}\n`);

beforeAll(async () => {
  const missing = missingParts();
  if (missing !== undefined) throw new Error(missing);
  pipelines = mkdtempSync(join(tmpdir(), 'thermidor-pipelines-'));
  chmodSync(pipelines, 0o755);
  cpSync(join(ROOT, 'pipelines'), pipelines, { recursive: true });
  const step = (id: string): object => ({ id, run: 'true' });
  write('minutely', { trigger: { cron: '* * * * *' }, steps: [step('tick')] });
  write('long', { steps: Array.from({ length: STEPS }, (_, n) => step(`s${n}`)) });
  topology = await Topology.start(pipelines, say);
}, SET_UP_MS);
afterAll(async () => {
  await topology?.close();
  if (pipelines) rmSync(pipelines, { recursive: true });
}, TEST_MS);

function write(name: string, pipeline: object): void {
  writeFileSync(join(pipelines, `${name}.yaml`), JSON.stringify({ name, ...pipeline }));
}

async function json<T>(...args: string[]): Promise<T> {
  const finished = await topology.exec('worker-1', ...args, '--json');
  if (finished.code !== 0) throw new Error(`${args.join(' ')} ended with ${finished.code}:\n${finished.out}${finished.err}`);
  return readJson<T>(finished, args);
}

const started = async (...args: string[]): Promise<string> => (await json<{ run: string }>('run', ...args, '--detach')).run;

async function untilView(run: string, what: string, fits: (view: RunView) => boolean): Promise<RunView> {
  return await until(
    `${run}: ${what}`,
    async () => {
      const view = await json<RunView>('status', run);
      return fits(view) && view;
    },
    TEST_MS,
  );
}

test(
  'the main job runs, and is approved by the plain `temporal` command line',
  async () => {
    const run = await started('daily_quant_pipeline', '--script', 'daily-quant');
    await untilView(run, 'it asks', ({ gates }) => gates.length > 0);
    const signal = ['workflow', 'signal', '-w', run, '--name', 'approve', '-i', '{"by":"chairman"}'];
    expect(await topology.temporal(...signal)).toMatchObject({ code: 0 });
    expect(await untilView(run, 'it ended', ({ state }) => state !== 'running' && state !== 'waiting')).toMatchObject({
      state: 'completed',
    });
  },
  TEST_MS,
);

test(
  'a cron of a minute starts a run in each of two minutes',
  async () => {
    expect(await topology.exec('worker-1', 'schedule', 'apply', 'pipelines/minutely.yaml')).toMatchObject({ code: 0 });
    const listed = (): Promise<{ runs: { state: string }[] }> => json('list', '--pipeline', 'minutely');
    await until('two have ended', async () => (await listed()).runs.filter(({ state }) => state === 'completed').length >= 2, TEST_MS);
    expect(await topology.exec('worker-1', 'schedule', 'delete', 'minutely')).toMatchObject({ code: 0 });
  },
  TEST_MS,
);

test(
  'what steps take there, next to those of a hand-written workflow',
  async () => {
    const cases = ['sequence-100', 'runs-100x10'].flatMap((name) => ['--case', name]);
    const words = [BENCH, 'overhead', ...cases, '--rounds', '3', '--address', topology.address];
    const { code, out, err } = await new Program(process.execPath, words, { cwd: ROOT, env: plainEnvironment(pipelines) }).finished;
    say(`${err}${out}`);
    expect({ code, isMeasured: out.includes('wall') }).toEqual({ code: 0, isMeasured: true });
  },
  TEST_MS,
);

test(
  'workers, server and database are killed: every run ends as it must',
  async () => {
    const runs = await Promise.all(Array.from({ length: 10 }, () => started('long')));
    for (const name of ['worker-1', 'temporal', 'worker-2']) await topology.killAndRestart(name);
    await topology.database.kill('SIGKILL');
    await topology.database.startAgain();
    for (const run of runs)
      expect(await untilView(run, 'it ended', ({ state }) => state !== 'running')).toMatchObject({ state: 'completed' });
  },
  TEST_MS,
);

test('both workers are in the fleet under their names', async () => {
  const fleet = await json<{ workers: { host: string }[] }>('fleet');
  expect(new Set(fleet.workers.map(({ host }) => host))).toEqual(new Set(['worker-1', 'worker-2']));
});
