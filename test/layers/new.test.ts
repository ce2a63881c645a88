import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { STEP_KINDS } from '../../kinds/traits';
import { blocksOf } from '../docs/page';
import { scratchFolder } from '../support/scratch-folder';
import { inSweep } from '../support/sweep';

/**
 * `npm run kind -- NAME` adds a kind of step, `command` a command, `tool` a tool and `channel` a chat, or says why it does not. With the
 * sweep, a copy of the repository gets some of each and passes its checks.
 */
const ROOT = join(__dirname, '../..');

const THINGS = ['kind', 'command', 'tool', 'channel'] as const;
type Thing = (typeof THINGS)[number];

interface Outcome {
  refused?: string;
  files: Record<string, string>;
}

/** What the generator would write in each folder for a name, or why it refuses. */
function planned(...asked: (readonly [root: string, thing: Thing, name: string])[]): Outcome[] {
  const program = `
    const { newFiles, Refused } = await import(process.argv[1]);
    const outcomes = JSON.parse(process.argv[2]).map((one) => {
      try {
        return { files: Object.fromEntries(newFiles(...one)) };
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return { refused: error.message, files: {} };
      }
    });
    process.stdout.write(JSON.stringify(outcomes));`;
  const module = pathToFileURL(join(ROOT, 'scripts/new/new-files.mjs')).href;
  const args = ['--input-type=module', '-e', program, module, JSON.stringify(asked)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 26 })) as Outcome[];
}

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const sections = textOf('docs/internals/guides.md').split('\n## ');
const guide = sections.find((section) => section.startsWith('How to add a kind\n')) ?? '';
const otherGuide = sections.filter((section) => /^How to add a (key, a command,|chat\n)/.test(section)).join('\n');

/** No writer adds a thing of this name. */
const NAME = 'name_of_a_test';
const outcomes = planned(...THINGS.map((thing) => [ROOT, thing, NAME] as const));
const filesOf = (thing: Thing): [file: string, text: string][] => Object.entries(outcomes[THINGS.indexOf(thing)]?.files ?? {});
const made = THINGS.flatMap((thing) => filesOf(thing).map(([file, text]) => [thing, file, text] as const));
const isNew = (file: string): boolean => /name[-_]of[-_]a[-_]test/.test(file);

test('a new kind has the roles that the guide names, and a line in every file that it names', () => {
  const tables = [...guide.matchAll(/^\d\. `([^`]+)`/gm), ...guide.matchAll(/^\| `((?:test|docs)\/[^`]+|llms\.txt)` \|/gm)].map(
    ([, file = '']) => file.replace('<kind>', NAME),
  );
  const roles = readdirSync(join(ROOT, 'kinds/notify')).map((role) => `kinds/name-of-a-test/${role}`);
  const files = filesOf('kind').map(([file]) => file);
  expect(tables.length).toBeGreaterThanOrEqual(11);
  expect(files.sort()).toEqual([...tables, ...roles, 'test/interpreter/name-of-a-test-step.test.ts'].sort());
  for (const role of roles) expect(guide).toContain(`\`${role.replace('kinds/name-of-a-test/', '')}\``);
});

test.each(['command', 'tool', 'channel'] as const)('the guide names every file that a new %s is in', (thing) => {
  const files = filesOf(thing).map(([file]) => file.replace(/name[-_]of[-_]a[-_]test/, '<name>'));
  expect(files.length).toBeGreaterThan(2);
  for (const file of files) expect(otherGuide.replaceAll('\n', ' ')).toContain(`\`${file}\``);
});

test.each(made)('a new %s in %s: nothing is lost, and nothing is left to fill in', (_, file, text) => {
  const before = isNew(file) ? [] : textOf(file).split('\n');
  const added = text.split('\n').filter((line) => !before.includes(line));
  expect(added.join('\n')).not.toMatch(/__(name|Name|camel|NAME|dashed)__/);
  if (isNew(file)) return;
  expect(text).toMatch(/name[_-]of[_-]a[_-]test|NameOfATest|NAME_OF_A_TEST/);
  const left = text.split('\n').map((line) => line.trim().replace(/;$/, ''));
  // These lines get something in their middle.
  const grown = /^(export const FURTHER|\| `discord`)/;
  const lost = before.filter((line) => !left.includes(line.trim().replace(/;$/, '')) && !grown.test(line));
  expect(lost).toEqual([]);
});

const NAMES: readonly (readonly [thing: Thing, name: string, why: RegExp])[] = [
  ...STEP_KINDS.map((kind) => ['kind', kind, /exists/] as const),
  ...[
    '',
    'Greet',
    'sample-kind',
    'greet__all',
    '_greet',
    'greet_',
    '1st',
    '../greet',
    'greet all',
    'grüße',
    '__proto__',
    `a${'b'.repeat(40)}`,
  ].flatMap((name) => THINGS.map((thing) => [thing, name, new RegExp(`is no name of a ${thing}`)] as const)),
  // These are a key of every step, of another kind and of a mapping, another spelling, and two other words for a kind.
  ...['when', 'prompt', 'voters', 'quorum', 'workflow', 'hitl'].map(
    (name) => ['kind', name, /is a key or a word of the language/] as const,
  ),
  // These are kinds of actions.
  ...['hold', 'skip'].map((name) => ['kind', name, /is a kind of something else/] as const),
  // `ShownWork` and `WorkSource` exist.
  ['kind', 'work', /has a "\w+" already/],
  ['command', 'graph', /cli\/commands\/graph\.ts exists/],
  // These are one of several commands in a file, and the noun of another command.
  ...['approve', 'caid'].map((name) => ['command', name, /is a command, or the noun of one/] as const),
  ['tool', 'notify', /activities\/tools\/notify\.ts exists/],
  ['tool', 'run', /is a tool/],
  ['tool', 'bash', /is another word for a tool/],
  ['channel', 'slack', /exists/],
  ['channel', 'webhook', /exists/],
  ['channel', 'email', /is a word of other code/],
];

describe('refuses', () => {
  const refused = planned(...NAMES.map(([thing, name]) => [ROOT, thing, name] as const));
  it.each(NAMES.map((row, nth) => [...row, refused[nth]] as const))('a new %s named "%s"', (_, _name, why, outcome) => {
    expect(outcome?.refused).toMatch(why);
  });
});

/** Skeletons of `run.ts`, each with the file of which it is a part. */
const skeletons = blocksOf(guide, 'ts').map((text) => [/^\/\/ a part of (\S+)\n/.exec(text)?.[1] ?? '', text] as const);

test('the guide has a skeleton for each of the four ways to run what is within', () => {
  expect(skeletons.map(([file]) => file)).toEqual(['group', 'parallel', 'post-mortem', 'repeat'].map((kind) => `kinds/${kind}/run.ts`));
});

test.each(skeletons)('the skeleton of %s uses what there is', (file, text) => {
  const imports = [...text.matchAll(/^import (?:type )?\{ (.+) \} from '(.+)';$/gm)];
  expect(imports.length).toBeGreaterThan(3);
  for (const [, names = '', from = ''] of imports) {
    const source = textOf(join(dirname(file), `${from}.ts`));
    for (const name of names.split(', ').map((one) => one.replace('type ', ''))) {
      expect(source).toMatch(new RegExp(`export (async )?(function|const|class|interface|type) ${name}\\b`));
    }
  }
});

const tables = made.flatMap(([thing, file]) => (isNew(file) ? [] : [[thing, file] as const]));

/** A folder with the generator and its tables, one of which has an unexpected content. */
function withOther(table: string): string {
  const root = scratchFolder();
  for (const file of [...tables.map(([, one]) => one), 'scripts/new', 'scripts/new.mjs'])
    cpSync(join(ROOT, file), join(root, file), { recursive: true });
  for (const room of ['worker', 'client', 'records', 'compiler/names']) mkdirSync(join(root, room));
  writeFileSync(join(root, table), 'import { x } from "y";\n');
  return root;
}

describe('a table that is not as expected', () => {
  const refused = planned(...tables.map(([thing, table]) => [withOther(table), thing, NAME] as const));
  it.each(tables.map((row, nth) => [...row, refused[nth]] as const))('of a new %s: %s is named', (_, table, outcome) => {
    expect(outcome?.refused).toContain(`${table} has no "`);
    expect(outcome?.refused).toContain('scripts/new/');
  });

  it('ends the command before it has written anything', () => {
    const root = withOther('workflows/kinds.ts');
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/new.mjs'), 'kind', NAME], { encoding: 'utf8' });
    expect([status, stderr.split('\n').length]).toEqual([1, 2]);
    expect(readdirSync(join(root, 'kinds'))).toEqual(['descriptions.ts', 'traits.ts']);
  });
});

/** A copy of the repository with a link to `node_modules`. */
function repository(): string {
  const root = scratchFolder();
  const left = ['node_modules', 'dist', '.git'].map((name) => join(ROOT, name));
  cpSync(ROOT, root, { recursive: true, filter: (path) => !left.includes(path) && !path.endsWith('.json.gz') });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  return root;
}

inSweep.test(
  'a repository with two new kinds, a command, a tool and a chat compiles, and its linter and tests pass',
  () => {
    const root = repository();
    const { THERMIDOR_SWEEP: _, ...env } = process.env;
    const node = (...args: string[]): string => {
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26, env });
      return status === 0 ? '' : `${args.join(' ')}\n${stdout}\n${stderr}`;
    };
    const program = (file: string): string => join(root, 'node_modules', file);
    expect(node('scripts/new.mjs', 'kind', 'greet_all')).toBe('');
    // A chat has a name that nothing else has.
    const named = THINGS.map((thing) => [thing, thing === 'channel' ? 'pager' : 'beat'] as const);
    for (const [thing, name] of named) expect(node('scripts/new.mjs', thing, name)).toBe('');
    for (const [thing, name] of named) expect(node('scripts/new.mjs', thing, name)).toContain('exists');
    for (const [file, text] of skeletons) writeFileSync(join(root, dirname(file), 'skeleton.ts'), text);
    expect(node(join(dirname(require.resolve('typescript/package.json')), 'bin/tsc'), '--noEmit')).toBe('');
    for (const [file] of skeletons) rmSync(join(root, dirname(file), 'skeleton.ts'));
    expect(node(program('@biomejs/biome/bin/biome'), 'ci', '--error-on-warnings', '.')).toBe('');
    const tests = [
      'test/layers',
      'test/docs',
      'test/compiler',
      'test/language',
      'test/cli/plan.test.ts',
      'test/cli/program.test.ts',
      'test/cli/completion.test.ts',
      'test/cli/beat-command.test.ts',
      'test/tools',
      'test/client/callbacks',
      'test/activities/channels',
      'test/interpreter/greet-all-step.test.ts',
      'test/interpreter/beat-step.test.ts',
    ];
    expect(node(program('jest/bin/jest'), ...tests, '-w', '2')).toBe('');
  },
  1_200_000,
);
