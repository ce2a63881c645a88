import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { execute as runTests } from '../../cli/commands/test';
import { execute as validate } from '../../cli/commands/validate';
import { renderEntry } from '../../cli/rendering/journal';
import { playTest } from '../../cli/testing/play-test';
import { preparePipeline } from '../../cli/testing/prepare-pipeline';
import { testFactsOf } from '../../cli/testing/test-facts';
import { loadTests } from '../../compiler/test-file/load-tests';
import { fakeTerminal } from '../cli/fake-terminal';
import { blocksOfPage } from './block';
import { ROOT, readPage } from './page';
import { commanded } from './play-printed';
import { filesOf, inFolder } from './printed-files';

/** Pages show what commands that need no server really print, except for times; `…` stands for omitted text. */
function captured(page: string, command: string): string[] {
  const blocks = blocksOfPage(page).flatMap(({ text }) => text.split(/^\$ /m).slice(1));
  const [, ...lines] =
    blocks
      .find((text) => text.startsWith(`${command}\n`))
      ?.trimEnd()
      .split('\n') ?? [];
  if (lines.length === 0) throw new Error(`${page} has no capture of ${command}`);
  return lines;
}

const timeless = (line: string): string => line.replaceAll(/\d+(?:\.\d+)? ms/g, 'N ms').trimEnd();

/** Captured lines that were not printed, or not in this order. */
function missingFrom(printed: string, lines: readonly string[]): string[] {
  const left = printed.split('\n').map(timeless);
  return lines.map(timeless).filter((line) => {
    if (line === '…') return false;
    const begins = line.endsWith('…') ? line.slice(0, -1) : undefined;
    const at = begins === undefined ? left.indexOf(line) : left.findIndex((one) => one.startsWith(begins));
    left.splice(0, at + 1);
    return at < 0;
  });
}

test.each(['thermidor test', 'thermidor test --coverage'])('docs/testing.md: %s', async (command) => {
  await inFolder(filesOf('docs/testing.md'), async (folder) => {
    const { out } = await commanded(runTests, folder, [], { coverage: command.endsWith('--coverage') });
    expect(missingFrom(out, captured('docs/testing.md', command))).toEqual([]);
  });
});

describe('thermidor validate', () => {
  /** A file with the source lines that a capture shows in their places: there the mistakes are. */
  const mistaken = (text: string, lines: readonly string[]): string => {
    const whole = text.split('\n');
    for (const [, number = '', source = ''] of lines.flatMap((line) => [/^(\d+) \| (.*)$/.exec(line) ?? []])) {
      if (number !== '') whole[Number(number) - 1] = source;
    }
    return whole.join('\n');
  };

  it.each([
    ['README.md', 'npx thermidor validate pipelines/daily-quant-pipeline.yaml', readPage('pipelines/daily-quant-pipeline.yaml')],
    [
      'docs/identity.md',
      'thermidor validate pipelines/bad.yaml',
      'name: bad\nsteps:\n  - id: build\n    run: make\n  - id: sign\n    type: approval\n    prompt: Ship it?\n\n\n',
    ],
  ])('%s: %s', async (page, command, text) => {
    const lines = captured(page, command);
    const path = command.split(' ').at(-1) ?? '';
    const settings = filesOf(page).filter(({ sort }) => sort === 'settings');
    await inFolder([{ path, text: mistaken(text, lines) }, ...settings.slice(0, 1)], async (folder) => {
      cpSync(join(ROOT, 'pipelines', 'agents'), join(folder, 'pipelines', 'agents'), { recursive: true });
      cpSync(join(ROOT, 'pipelines', 'schemas'), join(folder, 'pipelines', 'schemas'), { recursive: true });
      const { out, exit } = await commanded(validate, folder, [path]);
      expect({ exit, missing: missingFrom(out, lines) }).toEqual({ exit: 2, missing: [] });
    });
  });
});

/** The entry without clock and starter. A failure is compared without its message, which differs on the test bench. */
const entryOf = (line: string): string =>
  line
    .replace(/^( *\d+) {2}\d\d:\d\d:\d\d/, '$1')
    .replace(' by ann (claimed)', '')
    .replace(/ ([a-z]+\.[a-z-]+): .*$/, ' $1')
    .trimEnd();

/** `…` stands for a part of the line. */
function fits(line: string, shown: string): boolean {
  const [start = '', end] = shown.split('…');
  return end === undefined ? line === shown : line.startsWith(start) && line.endsWith(end);
}

test('docs/failures.md: the journal of a timeout, a missing field and a broken API', async () => {
  const files = new Map(filesOf('docs/failures.md').map(({ path, text }) => [path, text]));
  const tests = {
    pipeline: 'research.yaml',
    script: 'research',
    commands: { slow: { stdout: 'slept' } },
    tests: [{ name: 'it', expect: { status: 'held' } }],
  };
  const loaded = loadTests('it.test.yaml', JSON.stringify(tests), { read: (path) => files.get(path), list: () => [] });
  const [only] = loaded.tests ?? [];
  if (!loaded.tests || !only) throw new Error(JSON.stringify(loaded.diagnostics));
  const { journal } = testFactsOf(await playTest(preparePipeline(loaded.compiled), only));
  const { colors } = fakeTerminal();
  const lines = captured('docs/failures.md', 'thermidor journal e1');
  const made = journal.map((entry) => entryOf(renderEntry(entry, colors)));
  expect(made).toEqual(lines.map((line, i) => (fits(made[i] ?? '', entryOf(line)) ? made[i] : entryOf(line))));
});
