import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

/**
 * The test files of a folder and of those in it, as one suite: they load the modules that they share once. Each file's hooks are its own,
 * and what it leaves changed is put back after it. Files that replace modules are not among them (`jest.joined.cjs`).
 */
export function joinFiles(folder: string): void {
  const files = modulesIn(folder);
  for (const path of sharedHooks(files)) require(path);
  for (const { path, text } of files) {
    if (!isTest(path) || text.includes('jest.mock(')) continue;
    describe(path.slice(folder.length + 1), () => {
      const { env } = process;
      beforeAll(() => {
        process.env = { ...env };
      });
      afterAll(() => {
        process.env = env;
        jest.useRealTimers();
        jest.restoreAllMocks();
      });
      require(path);
    });
  }
}

interface Module {
  path: string;
  text: string;
}

const isTest = (path: string): boolean => path.endsWith('.test.ts');

function modulesIn(folder: string): Module[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.joined.ts'),
  );
  return names.sort().map((name) => ({ path: join(folder, name), text: readFileSync(join(folder, name), 'utf8') }));
}

/** Modules that tidy up after every test that uses them. They are loaded first: hooks belong to the block in which their module is loaded. */
function sharedHooks(files: readonly Module[]): string[] {
  const tidying = modulesIn(resolve(__dirname, '..')).filter(
    ({ path, text }) => !isTest(path) && /^(before|after)(All|Each)\(/m.test(text),
  );
  const names = tidying.map(({ path }) => ({ path, imported: `/${basename(path, '.ts')}'` }));
  return names.filter(({ imported }) => files.some(({ text }) => text.includes(imported))).map(({ path }) => path);
}
