import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunView } from '../../plan/run/status';
import { blockOf, blocksOfPage } from '../docs/block';
import { Program } from '../durability/support/program';
import { readJson } from '../durability/support/scratch';
import { until } from '../durability/support/until';
import { openFolder } from './machine';
import { missingParts } from './parts';
import { Topology } from './topology';

/**
 * `npm run test:topology`: the commands for back-up and restore on PostgreSQL that docs/operations.md prints, word for word. What they say
 * to `docker compose` is done with the processes of the topology.
 */
const PAGE = 'docs/operations.md';
const SET_UP_MS = 3_600_000;
const TEST_MS = 600_000;

let topology: Topology;
let folder: string;
let done: string;
const say = (line: string): void => void process.stderr.write(`${line}\n`);

beforeAll(async () => {
  const missing = missingParts();
  if (missing !== undefined) throw new Error(missing);
  folder = mkdtempSync(join(openFolder(), 'thermidor-backup-'));
  const pipelines = join(folder, 'pipelines');
  await bash(`mkdir pipelines && chmod 755 . pipelines`);
  done = join(folder, 'done');
  writeFileSync(done, '');
  chmodSync(done, 0o666);
  const notes = (id: string): object => ({ id, run: `echo ${id} >> ${done}` });
  const steps = [notes('before'), { id: 'ask', type: 'approval', approvers: ['anyone'] }, notes('after')];
  writeFileSync(join(pipelines, 'asks.yaml'), JSON.stringify({ name: 'asks', steps }));
  topology = await Topology.start(pipelines, say);
}, SET_UP_MS);
afterAll(async () => {
  await topology?.close();
  rmSync(folder, { recursive: true });
}, TEST_MS);

async function bash(script: string, env: NodeJS.ProcessEnv = process.env): Promise<void> {
  expect(await new Program('bash', ['-ec', script], { cwd: folder, env }).finished).toMatchObject({ code: 0 });
}

/** Types the commands of a block: those that stop and start containers are the topology's. */
async function typed(commands: string): Promise<void> {
  const env = topology.databaseShell(folder);
  let script = '';
  const flush = async (): Promise<void> => {
    if (script !== '') await bash(script, env);
    script = '';
  };
  for (const line of commands.trimEnd().split('\n')) {
    const [, verb, words = ''] = /^docker compose (stop|up)(?: (.*))?$/.exec(line) ?? [];
    if (verb === undefined) {
      script += `${line}\n`;
      continue;
    }
    await flush();
    if (verb === 'stop') await topology.stop(...words.split(' '));
    else await topology.startStopped();
  }
  await flush();
}

const block = (program: string): string => {
  const found = blocksOfPage(PAGE).find(({ text }) => text.startsWith('docker compose stop') && text.includes(program));
  return found?.text ?? blockOf(PAGE, program).text;
};

async function json<T>(...args: string[]): Promise<T> {
  const finished = await topology.exec('worker-1', ...args, '--json');
  if (finished.code !== 0) throw new Error(`${args.join(' ')} ended with ${finished.code}:\n${finished.out}${finished.err}`);
  return readJson<T>(finished, args);
}

const untilView = (run: string, what: string, fits: (view: RunView) => boolean): Promise<RunView> =>
  until(
    `${run}: ${what}`,
    async () => {
      const view = await json<RunView>('status', run);
      return fits(view) && view;
    },
    TEST_MS,
  );
const lines = (): string[] => readFileSync(done, 'utf8').split('\n').filter(Boolean);
const waits = (run: string) => untilView(run, 'it asks', ({ gates }) => gates.length === 1);
async function approved(run: string): Promise<void> {
  expect(await topology.exec('worker-1', 'approve', run, '--by', 'ann', '--detach')).toMatchObject({ code: 0 });
  await untilView(run, 'it ended', ({ state }) => state === 'completed');
}

test(
  'a run that waited at a gate goes on after the restore; with a store that is younger than the server nothing is done twice',
  async () => {
    const { run } = await json<{ run: string }>('run', 'asks', '--detach');
    await waits(run);
    await typed(block('pg_dump'));
    await waits(run);
    await approved(run);
    expect(lines()).toEqual(['before', 'after']);

    // All three from one moment: what came later is forgotten, and happens again.
    await typed(block('pg_restore'));
    await waits(run);
    await approved(run);
    expect(lines()).toEqual(['before', 'after', 'after']);

    // The store's dump was made last: the ledger has what came between.
    await bash('cp -r backup first');
    await typed(block('pg_dump'));
    await bash('cp first/temporal*.dump backup');
    await typed(block('pg_restore'));
    await waits(run);
    await approved(run);
    expect(lines()).toEqual(['before', 'after', 'after']);
  },
  TEST_MS,
);
