const { availableParallelism } = require('node:os');
const { commonjs, lazyFiles, lazyImports } = require('./scripts/lazy-imports.cjs');

const root = __dirname.replace(/[^\w/]/g, '\\$&');

/**
 * Globals that no test replaces and no module declares anew. Modules get them as parameters: a global of the sandbox in which a suite runs
 * takes a microsecond at each use.
 */
const CONSTANT_GLOBALS = [
  ...['Object', 'Array', 'Map', 'Set', 'WeakMap', 'Promise', 'Proxy', 'Reflect', 'JSON', 'Math', 'RegExp', 'Uint8Array'],
  ...['String', 'Number', 'Boolean', 'Symbol', 'BigInt', 'Error', 'TypeError', 'RangeError'],
];

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  transform: {
    [`^${root}/${lazyFiles}`]: ['@swc/jest', { ...lazyImports, sourceMaps: true }],
    '^.+\\.ts$': ['@swc/jest', { ...commonjs, sourceMaps: true }],
  },
  sandboxInjectedGlobals: CONSTANT_GLOBALS,
  // Bounds what hangs, and nothing else: on a busy machine a test of real processes takes a multiple of its time.
  testTimeout: 300_000,
  // Tests wait for processes and servers for a good part of their time: four workers keep two cores busy.
  maxWorkers: 2 * availableParallelism(),
  // A process costs as much to start as its parent has memory: a worker that a large suite has filled makes way for a fresh one.
  workerIdleMemoryLimit: '400MB',
  testSequencer: '<rootDir>/test/support/longest-first.cjs',
  globalSetup: '<rootDir>/test/support/global-setup.cjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.cjs',
};
