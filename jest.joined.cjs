const { readdirSync, readFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const each = require('./jest.config.cjs');

/**
 * All tests, as `npm test` runs them. A folder with `all.joined.ts` is one suite, which loads the modules of its files once; one that would
 * take too long has several, each with a part of its files. What they leave to others, and every other file, is a suite of its own, as for
 * `npx jest`.
 */
const root = join(__dirname, 'test');
const files = readdirSync(root, { recursive: true }).filter((name) => name.endsWith('.ts'));
const joined = files.filter((name) => name.endsWith('.joined.ts'));
const folders = joined.map((name) => `${dirname(name)}/`);
const replacesModules = (name) => readFileSync(join(root, name), 'utf8').includes('jest.mock(');
const isAlone = (name) => !folders.some((folder) => name.startsWith(folder)) || replacesModules(name);

module.exports = {
  ...each,
  testMatch: [...joined, ...files.filter((name) => name.endsWith('.test.ts') && isAlone(name))].map((name) => `<rootDir>/test/${name}`),
};
