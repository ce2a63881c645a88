const { rmSync } = require('node:fs');

module.exports = async () => {
  if (globalThis.memoryFolder) rmSync(globalThis.memoryFolder, { recursive: true, force: true, maxRetries: 10 });
};
