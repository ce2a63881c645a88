const { readdirSync } = require('node:fs');
const { dirname, join } = require('node:path');
const all = require('./jest.joined.cjs');
const { startsNothing } = require('./test/support/starts-nothing.cjs');

/** The tests that start no process and no server, as `npm run quick` runs them: suites as for `npm test`, and in those only such files. */
const pathOf = (pattern) => pattern.replace('<rootDir>', __dirname);
const filesOf = (joined) =>
  readdirSync(dirname(joined), { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(dirname(joined), name));
const isQuick = (path) => (path.endsWith('.joined.ts') ? filesOf(path).some(startsNothing) : startsNothing(path));

module.exports = {
  ...all,
  testMatch: all.testMatch.filter((pattern) => isQuick(pathOf(pattern))),
  globals: { startsNothing: true },
};
