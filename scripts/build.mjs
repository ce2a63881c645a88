// Compiles the TypeScript and builds the workflow bundle into dist/. Both are skipped when nothing they read has changed,
// so that `npm start` and `npm test` may call it every time. Arguments are options of tsc.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { lazyFiles, lazyImports } = require('./lazy-imports.cjs');
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const rooms = ['plan', 'kinds', 'channels', 'compiler', 'workflows', 'records', 'activities', 'worker', 'client', 'cli', 'bench', 'types'];

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)]))
    .sort();
}

function digestOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

let said = false;
/** Printed because `npm start` waits for the build, and npm is silent. */
function sayOnce() {
  if (!said) process.stderr.write('building thermidor; the next start finds it built\n');
  said = true;
}

/** Runs `make` unless `stamp` already holds the digest of `inputs` and `product` exists. */
async function unlessCurrent(stamp, product, inputs, make) {
  const digest = digestOf(inputs);
  if (existsSync(product) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  sayOnce();
  await make();
  writeFileSync(stamp, digest);
}

const present = rooms.map((room) => join(root, room)).filter((room) => existsSync(room));
const toolchain = ['package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'scripts/build.mjs', 'scripts/lazy-imports.cjs'].map((f) =>
  join(root, f),
);
const sources = [...present.flatMap(filesBelow), ...toolchain];

await unlessCurrent(join(dist, '.sources.sha256'), join(dist, 'cli', 'main.js'), sources, () => {
  rmSync(dist, { recursive: true, force: true });
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
  execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json'), ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
  compileLazyFiles();
  for (const file of sources.filter((path) => path.endsWith('.sql'))) cpSync(file, join(dist, relative(root, file)));
  const main = join(dist, 'cli', 'main.js');
  if (existsSync(main)) chmodSync(main, 0o755);
});

/** Compiles the lazy files over the output of `tsc`, whose declarations stay. */
function compileLazyFiles() {
  const { transformFileSync } = require('@swc/core');
  const pattern = new RegExp(`^${lazyFiles}`);
  for (const file of present.flatMap(filesBelow)) {
    const path = relative(root, file).replaceAll(sep, '/');
    if (!pattern.test(path) || path.endsWith('.d.ts')) continue;
    const product = join(dist, path.replace(/\.ts$/, '.js'));
    const { code, map } = transformFileSync(file, {
      ...lazyImports,
      swcrc: false,
      sourceMaps: true,
      sourceFileName: relative(dirname(product), file),
    });
    writeFileSync(product, `${code}//# sourceMappingURL=${basename(product)}.map\n`);
    writeFileSync(`${product}.map`, map);
  }
}

const bundle = join(dist, 'workflow-bundle.js');
/** Modules that all runs of a worker share: none of them keeps a run's data in a module variable, as `workflows/temporal/` does. */
const SHARED = ['interpreter/interpret.js', 'kinds.js', 'queue/queue.js'].map((name) => join(dist, 'workflows', name));
const bundled = [
  ...['workflows', 'plan', 'kinds', 'channels'].flatMap((room) => filesBelow(join(dist, room))),
  join(root, 'package-lock.json'),
];
await unlessCurrent(join(dist, '.bundle.sha256'), bundle, bundled, async () => {
  const { bundleWorkflowCode } = require('@temporalio/worker');
  const quiet = () => undefined;
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(dist, 'workflows', 'temporal', 'workflow.js'),
    payloadConverterPath: join(dist, 'workflows', 'temporal', 'payload-converter.js'),
    failureConverterPath: join(dist, 'workflows', 'temporal', 'failure-converter.js'),
    workflowInterceptorModules: [
      'history-tail.js',
      'held-task.js',
      'held-commands.js',
      'query-answers.js',
      'signal-flood-interceptor.js',
      'cancel-reason.js',
    ].map((name) => join(dist, 'workflows', 'temporal', name)),
    preloadModules: SHARED,
    logger: { trace: quiet, debug: quiet, info: quiet, log: quiet, warn: console.warn, error: console.error },
  });
  mkdirSync(dist, { recursive: true });
  // The source map is three quarters of the bundle and is parsed at every start of a worker. The SDK insists on one, so an
  // empty one replaces it; the code is not minified, and its own lines are good enough for a stack trace.
  const empty = Buffer.from(JSON.stringify({ version: 3, file: 'workflow-bundle.js', sources: [], names: [], mappings: '' })).toString(
    'base64',
  );
  const map = /\n\/\/# sourceMappingURL=data:application\/json[^\n]*\s*$/;
  if (!map.test(code)) throw new Error('the workflow bundle has no inline source map: has the SDK changed its form?');
  writeFileSync(`${bundle}.tmp`, code.replace(map, `\n//# sourceMappingURL=data:application/json;base64,${empty}\n`));
  renameSync(`${bundle}.tmp`, bundle);
});
