import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { filesOf } from '../docs/printed-files';
import { Scratch, SET_UP_MS } from '../durability/support/scratch';
import { scratchFolder, writeFiles } from '../support/scratch-folder';
import { type Installed, installPacked } from './installed';

/** `npm pack` packs everything that an installation needs, and nothing else. */
const ROOT = resolve(__dirname, '../..');
let installed: Installed;
let scratch: Scratch;

beforeAll(async () => {
  installed = installPacked();
  scratch = await Scratch.make();
}, SET_UP_MS);
afterAll(async () => {
  await scratch?.close();
  installed?.remove();
});

test('it has programs, their types, pipelines and pages, and nothing of how they are made', () => {
  const folders = new Set(
    installed.files.map((file) => (file.startsWith('dist/') ? file.split('/').slice(0, 2).join('/') : file.split('/')[0])),
  );
  expect([...folders].sort()).toEqual(
    ['CHANGELOG.md', 'LICENSE', 'README.md', 'briefs', 'docs', 'examples', 'llms.txt', 'package.json', 'pipelines', 'teams']
      .concat(
        [
          'activities',
          'channels',
          'cli',
          'client',
          'compiler',
          'kinds',
          'plan',
          'records',
          'worker',
          'workflow-bundle.js',
          'workflows',
        ].map((name) => `dist/${name}`),
      )
      .sort(),
  );
  expect(installed.files.filter((file) => /\.map$|\.tsbuildinfo$|\.sha256$|\.test\.js$/.test(file))).toEqual([]);
});

test('every page, picture and file that the README links to is there', () => {
  const readme = readFileSync(join(installed.folder, 'README.md'), 'utf8');
  const links = [...readme.matchAll(/\]\(([^):#]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((link) => !existsSync(join(installed.folder, link)))).toEqual([]);
});

test('the README says how large it is', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const [, packed = '', unpacked = ''] = /([\d.]+) MB packed and ([\d.]+) MB unpacked/.exec(readme) ?? [];
  expect(Math.abs(installed.packedBytes / 1e6 - Number(packed))).toBeLessThan(0.3);
  expect(Math.abs(installed.unpackedBytes / 1e6 - Number(unpacked))).toBeLessThan(1);
});

test('installed, it makes a folder and runs its pipeline on an embedded server', async () => {
  const thermidor = (...args: string[]) => scratch.start(join(installed.bin, 'thermidor'), args).endsWith(0);
  expect((await thermidor('--version')).out).toBe(
    `${(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version}\n`,
  );
  await thermidor('init', '.');
  await thermidor('validate', 'pipelines/hello.yaml');
  expect((await thermidor('run', 'hello', '--script', 'hello')).out).toContain('✓ send');
});

/** Links the package as `npm install ../thermidor` does. */
test('the TypeScript of docs/adapters.md compiles against it as it is printed', () => {
  const folder = scratchFolder();
  const printed = filesOf('docs/adapters.md').filter(({ path }) => path.startsWith('examples/') && path.endsWith('.ts'));
  expect(printed.length).toBeGreaterThan(3);
  writeFiles(Object.fromEntries(printed.map(({ path, text }) => [path, text])), folder);
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(installed.folder, join(folder, 'node_modules', 'thermidor'));
  symlinkSync(join(ROOT, 'node_modules', '@types'), join(folder, 'node_modules', '@types'));
  const compilerOptions = { target: 'es2022', module: 'node16', strict: true, noEmit: true, types: ['node'], skipLibCheck: true };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['examples'] }));
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
  expect(compiled(tsc, folder)).toBe('');
});

function compiled(tsc: string, folder: string): string {
  try {
    return execFileSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  } catch (error) {
    if (error instanceof Error && 'stdout' in error) return String(error.stdout);
    throw error;
  }
}
