// Jest sorts by what it remembers, and a fresh clone remembers nothing. What takes longest is begun first, so that no
// worker is left with it at the end.
const { default: Sequencer } = require('@jest/test-sequencer');

const LONG = ['/test/contract/', '/test/durability/', '/test/lobster/cli/'];
const isLong = ({ path }) => LONG.some((folder) => path.includes(folder));

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
};
