import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { TEST_FILE } from '../../compiler/test-file/load-tests';
import { CommandFailure, EXIT } from '../exit';
import { relativePath } from '../relative-path';
import type { Configuration } from '../settings/configuration';

const TEST_EXTENSIONS = ['.test.yaml', '.test.yml', '.test.json'];

/**
 * The test files that a command line names: files, those of a folder, or that of a pipeline. Without names, those in the pipelines'
 * folders. Fails with exit 2 if there is none.
 */
export function findTests(given: readonly string[], configuration: Configuration, cwd: string): string[] {
  const found =
    given.length > 0 ? given.flatMap((one) => testsAt(one, cwd)) : configuration.pipelines.value.flatMap((folder) => testsIn(folder, cwd));
  const distinct = [...new Set(found)];
  if (distinct.length > 0) return distinct;
  const where = given.length > 0 ? given.join(', ') : configuration.pipelines.value.join(', ') || configuration.root;
  throw new CommandFailure(EXIT.usage, 'test.not-found', `there is no test in ${where}`, {
    hint: 'tests are next to a pipeline, in a file such as release.test.yaml',
  });
}

function testsAt(given: string, cwd: string): string[] {
  const path = resolve(cwd, given);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return testsIn(path, cwd);
  if (TEST_FILE.test(given)) return [relativePath(path, cwd)];
  const beside = TEST_EXTENSIONS.map((extension) => path.replace(/\.[^./\\]+$/, extension)).find((file) => existsSync(file));
  if (beside !== undefined) return [relativePath(beside, cwd)];
  throw new CommandFailure(EXIT.usage, 'test.not-found', `${given} has no test next to it`, {
    hint: `write ${given.replace(/\.[^./\\]+$/, '.test.yaml')}`,
  });
}

function testsIn(folder: string, cwd: string): string[] {
  const entries = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder).sort() : [];
  return entries.filter((entry) => TEST_FILE.test(entry)).map((entry) => relativePath(join(folder, entry), cwd));
}
