import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT, readPage } from './page';

/** The pages for contributors name what is there: each path, and each folder of code in one row. */
const ROOMS = [
  'activities',
  'bench',
  'channels',
  'cli',
  'client',
  'compiler',
  'deploy',
  'kinds',
  'plan',
  'records',
  'scripts',
  'types',
  'worker',
  'workflows',
];

/** What a build and a run make. */
const MADE = ['.thermidor/', 'dist/cli/main.js', 'site/'];
const NOT_OURS = ['node_modules', 'dist', '.git', '.thermidor', 'coverage', '.swc'];

const paths = readdirSync(ROOT, { withFileTypes: true })
  .filter(({ name }) => !NOT_OURS.includes(name))
  .flatMap((entry) => [entry.name, ...(entry.isDirectory() ? below(entry.name) : [])]);
const known = new Set(paths);
const folders = [...new Set(paths.map(dirname))].filter((name) => name !== '.');

function below(room: string): string[] {
  return readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' }).map((name) => `${room}/${name}`);
}

/** Words between backticks that are written as a path: a folder ends with `/`, a file with its extension. */
function pathsIn(page: string): string[] {
  const prose = page.replaceAll(/^```[\s\S]*?^```$/gm, '');
  const quoted = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);
  return quoted.filter((text) => /^[\w@.-][\w@./-]*(\/|\.(?:[cm]?[jt]s|md|json|ya?ml))$/.test(text));
}

/** A path is written from the root, or, without a folder before it, is the name of a role or of a file in the folder of its row. */
function isThere(path: string): boolean {
  const name = path.replace(/\/$/, '');
  return known.has(name) || (!name.includes('/') && paths.some((one) => one.endsWith(`/${name}`)));
}

describe.each(['docs/internals/start-here.md', 'docs/internals/architecture.md', 'docs/internals/guides.md'])('%s', (path) => {
  it('names files and folders that exist', () => {
    const named = pathsIn(readPage(path));
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((one) => !MADE.includes(one) && !isThere(one))).toEqual([]);
  });
});

it('finds a path that is not there', () => {
  expect(pathsIn('`plan/nowhere.ts` and `plan/`, `run.ts`').map((one) => [one, isThere(one)])).toEqual([
    ['plan/nowhere.ts', false],
    ['plan/', true],
    ['run.ts', true],
  ]);
});

describe('the tables of folders in docs/internals/architecture.md', () => {
  const page = readPage('docs/internals/architecture.md');
  const tables = page.slice(0, page.indexOf('## The way of a run'));
  const rows = [...tables.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)\/`/g)].map(([, row = '']) => row),
  );
  const patterns = rows.map((row) => ({ row, pattern: new RegExp(`^${row.replaceAll(/<\w+>/g, '[^/]+')}$`) }));

  it('have one row for each folder of code, and none twice', () => {
    const code = folders.filter((folder) => ROOMS.includes(folder.split('/')[0] ?? ''));
    expect(code.length).toBeGreaterThan(120);
    const rowsOf = (folder: string) => patterns.filter(({ pattern }) => pattern.test(folder)).map(({ row }) => row);
    expect(code.map((folder) => ({ folder, rows: rowsOf(folder) })).filter(({ rows }) => rows.length !== 1)).toEqual([]);
  });

  it('have no row without a folder', () => {
    expect(patterns.filter(({ pattern }) => !folders.some((folder) => pattern.test(folder))).map(({ row }) => row)).toEqual([]);
  });
});
