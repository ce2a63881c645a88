import { execFileSync } from 'node:child_process';
import { CATALOGUE } from '../../cli/catalogue';
import { findTemporalBinary } from '../../cli/embedded/temporal-binary';
import { blocksOfPage, placeOf } from './block';
import { commandLinesOf, commandsOf, complaintOf } from './command-line';
import { PAGES, readPage } from './page';

/** Every command line of the pages is one that its program accepts; those of `thermidor` are parsed as they are typed. */
const lines = PAGES.flatMap(blocksOfPage).flatMap(commandLinesOf);
const of = (name: string) => lines.filter(({ words }) => words[0] === name);
const told = ({ block, words }: (typeof lines)[number]) => `${placeOf(block)} ${words.join(' ')}`;

/** Programs that every developer's machine has, and a tutorial may name. */
const OTHERS = [
  ...['for', 'do', 'done', 'chmod', 'cp', 'mkdir', 'useradd', 'systemctl'],
  'docker',
  'tar',
  'cd',
  'ln',
  'export',
  'kill',
  'curl',
  'createdb',
  'openssl',
  'printf',
  'date',
  'cut',
  'node',
  'git',
  'echo',
  'source',
  'test',
];

test('pages name no program but ours, and what everybody has', () => {
  const known = new Set(['thermidor', 'npx', 'npm', 'temporal', ...OTHERS]);
  expect(lines.filter(({ words }) => !known.has(words[0] ?? '')).map(told)).toEqual([]);
});

test('thermidor takes each of its command lines', async () => {
  const ours = [...of('thermidor'), ...of('npx').map(({ block, words }) => ({ block, words: words.slice(1) }))].filter(
    ({ words }) => words[0] === 'thermidor',
  );
  const wrong: string[] = [];
  for (const line of ours) {
    const complaint = await complaintOf(line.words.slice(1));
    if (complaint !== '') wrong.push(`${told(line)}: ${complaint}`);
  }
  expect(wrong).toEqual([]);
  expect(ours.length).toBeGreaterThan(60);
});

test('npm has each script, and what comes after its -- is taken', async () => {
  const { scripts } = JSON.parse(readPage('package.json')) as { scripts: Record<string, string> };
  const wrong: string[] = [];
  for (const line of of('npm')) {
    const [, verb = '', ...rest] = line.words;
    const script = verb === 'run' ? rest[0] : verb;
    if (!['ci', 'cit', 'link', 'install', 'pack'].includes(verb) && !Object.hasOwn(scripts, script ?? '')) wrong.push(told(line));
    const given = line.words.slice(line.words.indexOf('--') + 1);
    if (verb !== 'start' || !line.words.includes('--')) continue;
    const started = (scripts['start'] ?? '').split(' ').slice(2).concat(given);
    const complaint = await complaintOf(started);
    if (complaint !== '') wrong.push(`${told(line)}: ${complaint}`);
  }
  expect(wrong).toEqual([]);
});

test('the Temporal CLI has each command with these options', async () => {
  const { path } = await findTemporalBinary();
  const helps = new Map<string, string>();
  const helpOf = (command: string): string => {
    const help = helps.get(command) ?? execFileSync(path, [...command.split(' '), '--help'], { encoding: 'utf8' });
    helps.set(command, help);
    return help;
  };
  const wrong = of('temporal').filter(({ words }) => {
    const first = words.findIndex((word) => word.startsWith('-'));
    const command = words.slice(1, first < 0 ? undefined : first).join(' ');
    const help = helpOf(command);
    const options = words.filter((word) => /^--?[a-z]/.test(word));
    return !help.includes(`temporal ${command}`) || options.some((option) => !new RegExp(`(^|\\s)${option}[ ,]`, 'm').test(help));
  });
  expect(wrong.map(told)).toEqual([]);
  expect(helps.size).toBeGreaterThan(4);
});

/** `thermidor budget RUN --tokens …` within a sentence, or in text that is only shown: the command exists and has these options. */
test('sentences name commands and options that there are', () => {
  const specs = new Map(CATALOGUE.map((spec) => [spec.name, spec] as const));
  const wrong = PAGES.filter((page) => page !== 'CHANGELOG.md').flatMap((page) => {
    const spans = readPage(page).match(/(?<=`|^ *)thermidor [a-z][^`\n]*/gm) ?? [];
    return spans.flatMap((span) => {
      const words = commandsOf(span.replaceAll(/[[\]…]/g, ' '))[0] ?? [];
      const spec = specs.get(words.slice(1, 3).join(' ')) ?? specs.get(words[1] ?? '');
      if (spec?.raw) return [];
      const flags = new Set(spec?.options?.flatMap(({ flags: text }) => text.match(/--[a-z-]+/g) ?? []));
      const strange = words.filter((word) => /^--[a-z]/.test(word) && !flags.has(word));
      return spec && strange.length === 0 ? [] : [`${page}: ${span}`];
    });
  });
  expect(wrong).toEqual([]);
});
