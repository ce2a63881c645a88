import { readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { execute as runTests } from '../../cli/commands/test';
import { parseSettings } from '../../cli/settings/settings-file';
import type { RunState } from '../../plan/run/status';
import { placeOf } from './block';
import { PAGES } from './page';
import { commanded, compiledIn, mistakesOf, playPrinted } from './play-printed';
import { besides, filesOf, inFolder, type PrintedFile, settingsFor } from './printed-files';

/**
 * Every whole file of the pages works as it is printed, in an empty folder, with the other files of its page that it names. The tutorial's
 * files belong to one folder that changes as it continues; worktrees and merge queues need real repositories: a test on a real server
 * follows each.
 */
const FOLLOWED = ['docs/tutorial.md', 'docs/worktrees.md', 'docs/merge-queue.md'];
const pages = PAGES.filter((page) => !FOLLOWED.includes(page)).map((page) => ({ page, files: filesOf(page) }));
const of = (...sorts: PrintedFile['sort'][]) =>
  pages.flatMap(({ files }) =>
    files.filter(({ sort }) => sorts.includes(sort)).map((file) => [`${placeOf(file.block)} ${file.path}`, file, files] as const),
  );

/** Ends other than a completed run that a page announces. */
const ENDS: Readonly<Record<string, RunState>> = { 'docs/failures.md research.yaml': 'held' };

const ELSEWHERE: Readonly<Record<string, string>> = {
  'receiver.mjs': 'receiver.test.ts',
  'engineer.mjs': 'caid.test.ts',
  'slack-app.yaml': 'people.test.ts',
  '.vscode/settings.json': 'data.test.ts',
  '.vscode/tasks.json': 'data.test.ts',
  'teams/maintainers.yaml': 'teams.test.ts',
  ...Object.fromEntries(
    ['house', 'house-service', 'house-adapter', 'house-worker'].map((name) => [`examples/adapter/${name}.ts`, 'adapters.test.ts']),
  ),
  'test/contract/yours.test.ts': 'adapters.test.ts',
};

/** Does the work in a folder that has one of the page's settings, or none: the first for which `fits` finds no mistake. */
async function withSettings(file: PrintedFile, files: readonly PrintedFile[], work: (folder: string) => Promise<void>): Promise<void> {
  const complaints: string[] = [];
  for (const settings of settingsFor(file, files)) {
    const laid = [...besides(file, files), ...(settings ? [settings] : [])];
    const complaint = await inFolder(laid, async (folder) => {
      const mistakes = await mistakesOf(folder, file.path);
      if (mistakes === '') await work(folder);
      return mistakes;
    });
    if (complaint === '') return;
    complaints.push(complaint);
  }
  throw new Error(`${placeOf(file.block)} ${file.path}:\n${complaints[0]}`);
}

test.each(of('pipeline'))('%s runs', async (_, file, files) => {
  await withSettings(file, files, async (folder) => {
    const compiled = compiledIn(folder, file.path, file.text);
    if (!compiled) throw new Error('it compiled a moment ago');
    const stem = basename(file.path, '.yaml');
    const script = files.some(({ path }) => path === join(dirname(file.path), 'scripts', `${stem}.yaml`)) ? stem : undefined;
    const tested = files.some(({ path }) => path === file.path.replace(/\.yaml$/, '.test.yaml'));
    if (tested) return;
    const proven = compiled.planText.includes('"identity":"proven"');
    const end = ENDS[`${file.block.page} ${file.path}`] ?? (proven ? 'waiting' : 'completed');
    expect((await playPrinted(folder, file.path, compiled, { script, end })).files[0]?.tests).toMatchObject([{ failing: [] }]);
  });
});

test.each(of('tests'))('%s passes', async (_, file, files) => {
  await withSettings(file, files, async (folder) => {
    expect(await commanded(runTests, folder, [file.path])).toMatchObject({ exit: 0 });
  });
});

/** An agent's file works as the agent of a pipeline with one step. */
test.each(of('agent'))('%s is an agent that runs', async (_, file, files) => {
  const id = basename(file.path, extname(file.path));
  const text = `name: one\nsteps:\n  - { id: work, agent: ${id}, prompt: Work. }\nagents: { ${id}: ${file.path} }\n`;
  const one: PrintedFile = { block: file.block, path: 'one.yaml', text, sort: 'pipeline' };
  await withSettings(one, [...files, one], async (folder) => {
    const compiled = compiledIn(folder, one.path, text);
    if (!compiled) throw new Error('it compiled a moment ago');
    expect((await playPrinted(folder, one.path, compiled, { end: 'completed' })).files[0]?.tests).toMatchObject([{ failing: [] }]);
  });
});

test.each(of('settings'))('%s is read', (_, { text }) => {
  expect(Object.keys(parseSettings('thermidor.yaml', text)).length).toBeGreaterThan(0);
});

test.each(of('script', 'skill', 'schema'))('%s belongs to a file of its page', (_, file, files) => {
  const name = /skills\/([^/]+)\/SKILL/.exec(file.path)?.[1] ?? basename(file.path).replace(/\..*$/, '');
  const others = files.filter((one) => one !== file);
  expect(
    others.filter(({ path, text }) => basename(path).startsWith(`${name}.`) || text.includes(name)).map(({ path }) => path),
  ).not.toEqual([]);
});

test('each of another kind is put to work by a test of its own', () => {
  const left = of('code', 'other').filter(([, { path }]) => {
    const test = Object.hasOwn(ELSEWHERE, path) ? ELSEWHERE[path] : undefined;
    return test === undefined || !readFileSync(join(__dirname, test), 'utf8').includes(basename(path, extname(path)));
  });
  expect(left.map(([name]) => name)).toEqual([]);
});
