import { existsSync, readFileSync } from 'node:fs';
import { parseSettings } from '../../cli/settings/settings-file';
import { commandsOf } from '../docs/command-line';
import { inSweep } from '../support/sweep';
import { Page } from './support/page';
import { type Scratch, SET_UP_MS } from './support/scratch';

/** docs/worktrees.md, block by block. */
let page: Page;
let scratch: Scratch;
const next = (language: string): string => page.next(language);
const shell = (text: string): string => page.shell(text);

beforeAll(async () => {
  page = await Page.open('docs/worktrees.md');
  scratch = page.scratch;
}, SET_UP_MS);
afterAll(() => page.close());

/** The file that the next block is. */
function write(): string {
  const text = next('yaml');
  const [, path = ''] = /^# (\S+)\n/.exec(text) ?? [];
  scratch.write(path, text);
  return path;
}

/** Runs our commands in the next block, each of which has to succeed, and returns the output of each. */
async function typed(...names: string[]): Promise<string[]> {
  const text = next('sh');
  const commands = commandsOf(text);
  expect(commands.map(([program, word]) => (program === 'thermidor' ? word : program))).toEqual(names);
  const printed: string[] = [];
  for (const [program, ...words] of commands) {
    if (program === 'git') printed.push(shell(text.split('\n').find((line) => line.startsWith('git ')) ?? ''));
    else {
      // Repositories count from the folder of the process that works.
      const finished = await (words[0] === 'run' ? scratch.thermidor(...words).finished : scratch.ask(...words));
      expect(finished).toMatchObject({ code: 0 });
      printed.push(finished.out);
    }
  }
  return printed;
}

inSweep.test('two steps work side by side, one goes on where another was, and the result is merged', async () => {
  shell(next('sh'));
  write();
  const [, log = ''] = await typed('run', 'git');
  expect(
    log
      .split('\n')
      .map((line) => line.replace(/^\w+ (\(.*\) )?/, ''))
      .sort(),
  ).toEqual(['changes', 'more', 'usage']);
  expect(shell('git log --format=%s')).toBe('First commit');
  const refs = shell(next('sh')).split('\n');
  expect(refs.map((line) => /refs\/thermidor\/[\w-]+\/(.+)$/.exec(line)?.[1])).toEqual(['changes/1', 'usage/1']);
  const of = (step: string) => refs.find((line) => line.includes(`/${step}/`))?.split('\t')[1] ?? '';
  expect(next('text')).toContain('git merge refs/thermidor/RUN/usage/1');
  shell(`git merge --quiet ${of('usage')} && git merge --quiet --no-edit ${of('changes')}`);
  expect(readFileSync(scratch.path('USAGE.md'), 'utf8')).toBe('How to use it.\nAnd how not to.\n');
  expect(existsSync(scratch.path('CHANGES.md'))).toBe(true);
  expect(await scratch.json('worktree', 'list')).toMatchObject({ worktrees: [] });
});

inSweep.test('every key is used; what is kept stays until it is pruned', async () => {
  write();
  const [, listed = '', pruned = ''] = await typed('run', 'worktree', 'worktree');
  expect(listed).toMatch(/second +build +kept/);
  expect(pruned).toMatch(/removed +worktree +second +build/);
  const ref = shell('git for-each-ref --format="%(refname)" refs/thermidor/ | grep /build/1');
  expect(shell(`git show ${ref}:server.yaml`)).toMatch(/^server: 127\.0\.0\.1:2\d{3}0$/);
  expect(shell(`git ls-tree -r --name-only ${ref}`).split('\n')).not.toEqual(expect.arrayContaining(['.env']));
  const { out } = await scratch.ask('logs', 'second', 'build');
  expect(out).toMatch(/-- teardown of the worktree, command 1\n.*stop the server here/);
});

inSweep.test('the settings are read, and the lines of the clean-up are taken', async () => {
  expect(Object.keys(parseSettings('thermidor.yaml', next('yaml')))).toEqual(['worktrees', 'git']);
  await typed('worktree', 'worktree', 'worktree');
  expect(page.rest()).toEqual([]);
});
