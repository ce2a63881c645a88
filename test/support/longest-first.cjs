// Jest sorts by what it remembers, and a fresh clone remembers nothing. What takes longest is begun first, so that no
// worker is left with it at the end: what starts processes, then the suites of many files.
const { default: Sequencer } = require('@jest/test-sequencer');

const LONG = ['/test/contract/', '/test/durability/', '/test/lobster/cli/'];

function rank({ path }) {
  if (LONG.some((folder) => path.includes(folder))) return 0;
  return path.endsWith('.joined.ts') ? 1 : 2;
}

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => rank(a) - rank(b));
  }
};
