const { makeMemoryFolder } = require('./memory-folder.cjs');

/** Repositories that tests make live for seconds: after each commit and fetch git would start another process to look after them. */
const UNTENDED = { 'gc.auto': '0', 'maintenance.auto': 'false' };

// Workers inherit the variables, and `tmpdir()` follows one. Suites that need a server start it themselves.
module.exports = async () => {
  const folder = makeMemoryFolder();
  if (folder) process.env.TMPDIR = folder;
  globalThis.memoryFolder = folder;
  process.env.GIT_CONFIG_COUNT = String(Object.keys(UNTENDED).length);
  for (const [n, [key, value]] of Object.entries(UNTENDED).entries()) {
    process.env[`GIT_CONFIG_KEY_${n}`] = key;
    process.env[`GIT_CONFIG_VALUE_${n}`] = value;
  }
};
