import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseSettings } from '../../cli/settings/settings-file';
import type { QueueView } from '../../plan/queue/queue-view';
import { type Block, blocksOfPage, placeOf } from '../docs/block';
import { commandsOf } from '../docs/command-line';
import { Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/** docs/merge-queue.md, block by block, in an empty folder, with a real repository and a real server. */
const blocks = blocksOfPage('docs/merge-queue.md');
let taken = 0;
let scratch: Scratch;
let trees = '';

beforeAll(async () => {
  trees = mkdtempSync(join(tmpdir(), 'thermidor-trees-'));
  scratch = await Scratch.make({ THERMIDOR_WORKTREES: trees });
  await scratch.keepServer();
}, SET_UP_MS);
afterAll(async () => {
  await scratch.close();
  rmSync(trees, { recursive: true });
});

function next(language: string): Block {
  const block = blocks[taken++];
  if (block?.language !== language) throw new Error(`${block ? placeOf(block) : 'the end'} is no ${language}`);
  return block;
}

function shell(text: string): string {
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  return execFileSync('sh', ['-ec', text], { cwd: scratch.folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

/** Each of our lines in the next block has to be done. */
async function typed(): Promise<string[]> {
  const printed: string[] = [];
  for (const [program, ...words] of commandsOf(next('sh').text)) {
    if (program !== 'thermidor') continue;
    const finished = await scratch.ask(...words);
    expect(finished).toMatchObject({ code: 0 });
    printed.push(finished.out);
  }
  return printed;
}

const view = async (): Promise<QueueView | undefined> => (await scratch.json<{ queues: QueueView[] }>('queue', '.', 'main')).queues[0];

test('of four candidates two land, and two come back for what they do on the branch', async () => {
  shell(next('sh').text);
  scratch.write('thermidor.yaml', next('yaml').text);
  shell(next('sh').text);
  const tickets = await typed();
  expect(tickets.map((line) => /^ticket (\d) of queue:\S+#main\n$/.exec(line)?.[1])).toEqual(['1', '2', '3', '4']);
  expect(next('sh').text).toBe('thermidor up\n');
  const worker = scratch.thermidor('up');
  await until('all have ended', async () => (await view())?.done.length === 4, 60_000);
  const [shown = ''] = await typed();
  const states = shown.split('\n').flatMap((line) => {
    const [, title, author, state] = /^\d +\w{10} +(\S+) +(\S+) +(\S+) /.exec(line) ?? [];
    return title === undefined ? [] : [[title, author, state]];
  });
  expect(states.sort()).toEqual([
    ['bye', 'cleo', 'red'],
    ['moon', 'bob', 'conflict'],
    ['readme', 'ann', 'merged'],
    ['world', 'ann', 'merged'],
  ]);
  expect(shell('git log --first-parent --format=%s').split('\n').slice(0, 3)).toEqual([
    'Merge readme',
    'Merge world',
    'Rules of the merge queue',
  ]);
  expect([
    readFileSync(scratch.path('greeting.txt'), 'utf8'),
    shell('git status --porcelain -uno'),
    shell('git branch --show-current'),
  ]).toEqual(['hello, world\n', '', 'main']);
  expect((await view())?.done.find(({ title }) => title === 'bye')?.outcome).toMatchObject({ of: 'queue', tail: 'farewell.txt\n' });
  expect(shell('git for-each-ref refs/thermidor/')).toBe('');
  expect(shell('git worktree list').split('\n')).toHaveLength(1);
  await worker.kill();
}, 120_000);

test('the rules are read, and there is nothing more on the page', () => {
  const { text } = next('yaml');
  expect(Object.keys(parseSettings('thermidor.yaml', text))).toEqual(['queues']);
  // test/docs has its command lines parsed.
  next('sh');
  // And its steps compiled.
  next('yaml');
  expect(blocks.slice(taken)).toEqual([]);
});
