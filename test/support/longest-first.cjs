// Jest sorts by earlier times, which a fresh clone does not have. The longest suites start first, so that no worker has to run one at the
// end: first those that start processes, then the largest suites of many files, then the others. `LONG` is in the order of their time.
const { default: Sequencer } = require('@jest/test-sequencer');

const LONG = [
  'durability',
  'records',
  'contract',
  'lobster/cli',
  'worktrees',
  'queue',
  'activities',
  'interpreter',
  'language',
  'properties',
  'compiler',
  'protocol',
  'caid-lab',
  'adapters',
  'replay',
];

function rank({ path }) {
  const long = LONG.findIndex((folder) => path.includes(`/test/${folder}/`));
  if (long >= 0) return long;
  return path.endsWith('.joined.ts') ? LONG.length : LONG.length + 1;
}

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => rank(a) - rank(b));
  }
};
