import { readFileSync } from 'node:fs';
import { parseSettings } from '../../cli/settings/settings-file';
import type { QueueView } from '../../plan/queue/queue-view';
import { commandsOf } from '../docs/command-line';
import { inSweep } from '../support/sweep';
import { Page } from './support/page';
import { answerOf } from './support/runs';
import { type Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/** docs/merge-queue.md, block by block. */
let page: Page;
let scratch: Scratch;
const next = (language: string): string => page.next(language);
const shell = (text: string): string => page.shell(text);

beforeAll(async () => {
  page = await Page.open('docs/merge-queue.md');
  scratch = page.scratch;
}, SET_UP_MS);
afterAll(() => page.close());

/** Runs each of our lines in the next block, which must succeed. */
async function typed(): Promise<string[]> {
  const printed: string[] = [];
  for (const [program, ...words] of commandsOf(next('sh'))) {
    if (program !== 'thermidor') continue;
    const finished = await scratch.ask(...words);
    expect(finished).toMatchObject({ code: 0 });
    printed.push(finished.out);
  }
  return printed;
}

const view = async (): Promise<QueueView | undefined> =>
  (await answerOf<{ queues: QueueView[] }>(scratch, 'queue', '.', 'main'))?.queues[0];

inSweep.test(
  'of four candidates two land, and two come back for what they do on the branch',
  async () => {
    shell(next('sh'));
    scratch.write('thermidor.yaml', next('yaml'));
    shell(next('sh'));
    const tickets = await typed();
    expect(tickets.map((line) => /^ticket (\d) of queue:\S+#main\n$/.exec(line)?.[1])).toEqual(['1', '2', '3', '4']);
    expect(next('sh')).toBe('thermidor up\n');
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
  },
  120_000,
);

inSweep.test('the rules are read, and there is nothing more on the page', () => {
  const text = next('yaml');
  expect(Object.keys(parseSettings('thermidor.yaml', text))).toEqual(['queues']);
  // test/docs parses its command lines.
  next('sh');
  // test/docs compiles its steps, too.
  next('yaml');
  expect(page.rest()).toEqual([]);
});
