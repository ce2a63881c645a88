const { makeMemoryFolder } = require('./memory-folder.cjs');

// Workers inherit the variable, and `tmpdir()` follows it. Suites that need a server start it themselves.
module.exports = async () => {
  const folder = makeMemoryFolder();
  if (folder) process.env.TMPDIR = folder;
  globalThis.memoryFolder = folder;
};
