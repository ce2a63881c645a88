/**
 * Files whose imports load where they are first used: most of what a short command does is load code. swc compiles them, and makes each
 * import a function that loads it once; all other files load what they import at once. What has to load ahead of time is named as an
 * argument of `preload` (`cli/preload.ts`).
 *
 * `smol-toml` declares types for ES modules alone, so a file of
 * ours cannot import it and requires it by hand.
 */
const LAZY = [
  'cli/.+',
  'activities/adapters/cli-agent/(?:claude|codex|gemini|openclaw|template)',
  'activities/(?:test-reports/read-report|tools/web/html-text)',
  'compiler/(?:compile|names/json-schema|names/schema-patterns|shape/trigger)',
  'records/(?:open-records|directory/directory-records|postgres/postgres-records)',
  'worker/metrics',
];

/** Matches the path of such a source from the root, with `/`. */
const lazyFiles = `(?:${LAZY.join('|')})\\.ts$`;

const commonjs = { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } };
const lazyImports = { ...commonjs, module: { ...commonjs.module, lazy: { patterns: ['.*'] } } };

module.exports = { commonjs, lazyFiles, lazyImports };
