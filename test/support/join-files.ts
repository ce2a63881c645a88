import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
// @ts-expect-error: Jest's configuration loads it as well, so it is not TypeScript.
import { startsNothing } from './starts-nothing.cjs';

/**
 * The test files of a folder and of those in it, as one suite: they load the modules that they share once. Each file keeps its own hooks,
 * and its changes of the environment are undone after it. Files that replace modules are left out (`jest.joined.cjs`).
 *
 * @param part the part of a folder that takes too long for one suite: the first of two has every second file
 */
export function joinFiles(folder: string, part = { nth: 1, of: 1 }): void {
  const tests = modulesIn(folder).filter(({ path, text }) => isTest(path) && !text.includes('jest.mock(') && isAskedFor(path));
  const files = tests.filter((_, i) => i % part.of === part.nth - 1);
  for (const path of sharedHooks(files)) require(path);
  for (const { path } of files) {
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

/** `npm run quick` asks for some of the files only (`jest.quick.cjs`). */
const isAskedFor = (path: string): boolean => !('startsNothing' in globalThis) || startsNothing(path);

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

/**
 * Modules with hooks that clean up after every test. They are loaded first, because hooks belong to the block in which their module is
 * loaded.
 */
function sharedHooks(files: readonly Module[]): string[] {
  const modules = new Map(modulesIn(resolve(__dirname, '..')).map((module) => [module.path, module]));
  const used = new Set(files);
  // The loop also visits modules that are added while it runs.
  for (const { path, text } of used) {
    for (const [, name = ''] of text.matchAll(/ from '(\.[^']+)'/g)) {
      const module = modules.get(`${resolve(dirname(path), name)}.ts`);
      if (module) used.add(module);
    }
  }
  return [...used].flatMap(({ path, text }) => (!isTest(path) && /^(before|after)(All|Each)\(/m.test(text) ? [path] : []));
}
