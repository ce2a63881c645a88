import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { STEP_KINDS } from '../../kinds/traits';
import { blocksOf } from '../docs/page';
import { inSweep } from '../support/sweep';

/**
 * `npm run kind -- NAME` adds a kind of step, or says why it does not. With the sweep, a copy of the repository gets a new kind and passes
 * its checks.
 */
const ROOT = join(__dirname, '../..');

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

interface Outcome {
  refused?: string;
  files: Record<string, string>;
}

/** What the generator would write in each folder for a name, or why it refuses. */
function planned(...asked: (readonly [root: string, name: string])[]): Outcome[] {
  const program = `
    const { newKind, Refused } = await import(process.argv[1]);
    const outcomes = JSON.parse(process.argv[2]).map(([root, name]) => {
      try {
        return { files: Object.fromEntries(newKind(root, name)) };
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return { refused: error.message, files: {} };
      }
    });
    process.stdout.write(JSON.stringify(outcomes));`;
  const module = pathToFileURL(join(ROOT, 'scripts/kind/new-kind.mjs')).href;
  const args = ['--input-type=module', '-e', program, module, JSON.stringify(asked)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 26 })) as Outcome[];
}

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const guide =
  textOf('docs/internals/architecture.md')
    .split('\n## ')
    .find((section) => section.startsWith('How to add a kind\n')) ?? '';

const [made] = planned([ROOT, 'sample_kind']);
const files = Object.entries(made?.files ?? {});
const isNew = (file: string): boolean => /sample[-_]kind/.test(file);

test('a new kind has the roles that the guide names, and a line in every file that it names', () => {
  const tables = [...guide.matchAll(/^\d\. `([^`]+)`/gm), ...guide.matchAll(/^\| `((?:test|docs)\/[^`]+|llms\.txt)` \|/gm)].map(
    ([, file = '']) => file.replace('<kind>', 'sample_kind'),
  );
  const roles = readdirSync(join(ROOT, 'kinds/notify')).map((role) => `kinds/sample-kind/${role}`);
  expect(tables.length).toBeGreaterThanOrEqual(11);
  expect(files.map(([file]) => file).sort()).toEqual([...tables, ...roles, 'test/interpreter/sample-kind-step.test.ts'].sort());
  for (const role of roles) expect(guide).toContain(`\`${role.replace('kinds/sample-kind/', '')}\``);
});

test.each(files)('%s: nothing is lost, and nothing is left to fill in', (file, text) => {
  expect(text).not.toMatch(/__(kind|Kind|camel|KIND|folder)__/);
  expect(text).toMatch(/sample_kind|SampleKind|SAMPLE_KIND/);
  if (isNew(file)) return;
  const left = text.split('\n').map((line) => line.trim().replace(/;$/, ''));
  const lost = textOf(file)
    .split('\n')
    .filter((line) => !left.includes(line.trim().replace(/;$/, '')) && !line.startsWith('export const FURTHER'));
  expect(lost).toEqual([]);
});

const NAMES: readonly (readonly [name: string, why: RegExp])[] = [
  ...STEP_KINDS.map((kind) => [kind, /exists/] as const),
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
  ].map((name) => [name, /is no name of a kind/] as const),
  // These are a key of every step, of another kind and of a mapping, another spelling, and two other words for a kind.
  ...['when', 'prompt', 'voters', 'quorum', 'workflow', 'hitl'].map((name) => [name, /is a key or a word of the language/] as const),
  // These are kinds of actions.
  ...['hold', 'skip'].map((name) => [name, /is a kind of something else/] as const),
  // `ShownWork` and `WorkSource` exist.
  ['work', /has a "\w+" already/],
];

describe('refuses', () => {
  const outcomes = planned(...NAMES.map(([name]) => [ROOT, name] as const));
  it.each(NAMES.map(([name, why], nth) => [name, why, outcomes[nth]] as const))('the name "%s"', (_, why, outcome) => {
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

const tables = files.map(([file]) => file).filter((file) => !isNew(file));

/** A folder with the generator and its tables, one of which has an unexpected content. */
function withOther(table: string): string {
  const root = mkdtempSync(join(tmpdir(), 'thermidor-kind-'));
  folders.push(root);
  for (const file of [...tables, 'scripts/kind', 'scripts/kind.mjs']) cpSync(join(ROOT, file), join(root, file), { recursive: true });
  for (const room of ['activities', 'worker', 'client', 'cli']) mkdirSync(join(root, room));
  writeFileSync(join(root, table), 'import { x } from "y";\n');
  return root;
}

describe('a table that is not as expected', () => {
  const outcomes = planned(...tables.map((table) => [withOther(table), 'sample_kind'] as const));
  it.each(tables.map((table, nth) => [table, outcomes[nth]] as const))('%s is named', (table, outcome) => {
    expect(outcome?.refused).toContain(`${table} has no "`);
    expect(outcome?.refused).toContain('scripts/kind/tables.mjs');
  });

  it('ends the command before it has written anything', () => {
    const root = withOther('workflows/kinds.ts');
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/kind.mjs'), 'sample_kind'], { encoding: 'utf8' });
    expect([status, stderr.split('\n').length]).toEqual([1, 2]);
    expect(readdirSync(join(root, 'kinds'))).toEqual(['descriptions.ts', 'traits.ts']);
  });
});

/** A copy of the repository with a link to `node_modules`. */
function repository(): string {
  const root = mkdtempSync(join(tmpdir(), 'thermidor-repository-'));
  folders.push(root);
  const left = ['node_modules', 'dist', '.git'].map((name) => join(ROOT, name));
  cpSync(ROOT, root, { recursive: true, filter: (path) => !left.includes(path) && !path.endsWith('.json.gz') });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  return root;
}

inSweep.test(
  'a repository with two new kinds compiles, and its linter and tests pass',
  () => {
    const root = repository();
    const { THERMIDOR_SWEEP: _, ...env } = process.env;
    const node = (...args: string[]): string => {
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26, env });
      return status === 0 ? '' : `${args.join(' ')}\n${stdout}\n${stderr}`;
    };
    const program = (file: string): string => join(root, 'node_modules', file);
    expect(node('scripts/kind.mjs', 'greet_all')).toBe('');
    expect(node('scripts/kind.mjs', 'beat')).toBe('');
    expect(node('scripts/kind.mjs', 'beat')).toContain('the kind "beat" exists');
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
      'test/interpreter/greet-all-step.test.ts',
      'test/interpreter/beat-step.test.ts',
    ];
    expect(node(program('jest/bin/jest'), ...tests, '-w', '2')).toBe('');
  },
  1_200_000,
);
