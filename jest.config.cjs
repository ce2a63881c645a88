/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' }, sourceMaps: 'inline' },
    ],
  },
  // Bounds what hangs, and nothing else: on a busy machine a test of real processes takes a multiple of its time.
  testTimeout: 300_000,
  // Half of the time tests wait, for processes and for servers: each core has a worker, and the runner does next to nothing.
  maxWorkers: '100%',
  testSequencer: '<rootDir>/test/support/longest-first.cjs',
  globalSetup: '<rootDir>/test/support/global-setup.cjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.cjs',
};
