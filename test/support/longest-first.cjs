// Jest sorts by what it remembers, and a fresh clone remembers nothing. What takes longest starts first, so that no worker is left with it at
// the end: what starts processes, then the largest suites of many files, then the others. `LONG` is in the order of their time.
const { default: Sequencer } = require('@jest/test-sequencer');

const LONG = [
  'durability',
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
