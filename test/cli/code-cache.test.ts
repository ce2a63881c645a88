import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CacheFile, writeCacheFile } from '../../cli/code-cache/cache-file';

/** Each process loads a small program with the cache that the built command line uses. */
const CODE_CACHE = join(__dirname, '../../dist/cli/code-cache/code-cache.js');
let folder: string;
let cache: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'thermidor-code-cache-'));
  cache = join(folder, 'cache', 'code');
  write('app/main.js', `const { word } = require('./word'); console.log(word + ' ' + require('pack'));`);
  write('app/word.js', `exports.word = 'rain';`);
  write('node_modules/pack/package.json', '{"main": "one.js"}');
  write('node_modules/pack/one.js', `module.exports = 'one';`);
  write('node_modules/pack/two.js', `module.exports = 'two';`);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('what one process has loaded is there for the next, and is written once', () => {
  expect(run()).toBe('rain one');
  const { ino } = statSync(cache);
  expect(run()).toBe('rain one');
  expect(statSync(cache).ino).toBe(ino);
  expect(readdirSync(dirname(cache))).toEqual(['code']);
});

test('code comes from the cache, and not from the source file', () => {
  write('app/main.js', `console.log(String(require('./late').late));`);
  write('app/late.js', `exports.late = () => 'rain';`);
  run();
  forge("'rain'", "'hail'");
  expect(run()).toBe("() => 'hail'");
});

test('a module that a process loads beyond the others is added to them', () => {
  run();
  write('app/more.js', `require('./main'); console.log(require('./extra'));`);
  write('app/extra.js', `module.exports = 'extra';`);
  expect(run({ main: 'more.js' })).toBe('rain one\nextra');
  const { ino } = statSync(cache);
  expect([run(), run({ main: 'more.js' })]).toEqual(['rain one', 'rain one\nextra']);
  expect(statSync(cache).ino).toBe(ino);
});

describe('nothing of it is stale', () => {
  beforeEach(() => run());

  test('a source of the same length and time counts at once', () => {
    const path = join(folder, 'app/word.js');
    const { atime, mtime } = statSync(path);
    write('app/word.js', `exports.word = 'hail';`);
    require('node:fs').utimesSync(path, atime, mtime);
    expect(run()).toBe('hail one');
  });

  test('a package that lies nearer is the one that is found', () => {
    write('app/node_modules/pack/index.js', `module.exports = 'near';`);
    expect(run()).toBe('rain near');
  });

  test('a manifest that names another module is obeyed', () => {
    write('node_modules/pack/package.json', '{"main": "two.js"}');
    expect(run()).toBe('rain two');
  });

  test('a module that has become a folder is found there', () => {
    rmSync(join(folder, 'app/word.js'));
    write('app/word/index.js', `exports.word = 'snow';`);
    expect(run()).toBe('snow one');
  });

  test('a package that is gone is missed', () => {
    rmSync(join(folder, 'node_modules/pack'), { recursive: true });
    expect(run({ fails: true })).toContain("Cannot find module 'pack'");
  });
});

describe('a cache file that must not be read is replaced', () => {
  test.each([
    ['is torn', () => writeFileSync(cache, readFileSync(cache).subarray(0, 300))],
    ['is something else', () => writeFileSync(cache, 'something else, and longer than the head of a cache')],
    ['is damaged in its index', () => damage(30)],
    ['is damaged in its code', () => damage(-40)],
    ['can be written by others', () => chmodSync(cache, 0o666)],
  ])('one that %s', (_, spoil) => {
    run();
    const { ino } = statSync(cache);
    spoil();
    expect(run()).toBe('rain one');
    expect(statSync(cache).ino).not.toBe(ino);
    expect(statSync(cache).mode & 0o777).toBe(0o644);
  });
});

test('where the first place cannot be written, the next one is', () => {
  write('a-file', '');
  expect(run({ places: [join(folder, 'a-file', 'code'), cache] })).toBe('rain one');
  expect(existsSync(cache)).toBe(true);
});

test('where no place can be written, everything runs without', () => {
  write('a-file', '');
  expect(run({ places: [join(folder, 'a-file', 'code')] })).toBe('rain one');
});

test('it can be switched off', () => {
  expect(run({ env: { THERMIDOR_CODE_CACHE: 'off' } })).toBe('rain one');
  expect(existsSync(cache)).toBe(false);
});

test('errors name the line and column of the source, from the cache as without', () => {
  write(
    'app/main.js',
    `#!/usr/bin/env node\nconst { fall } = require('./fall');\ntry { fall(); } catch (error) { console.log(error.stack); }`,
  );
  write('app/fall.js', `exports.fall = () => { throw new Error('down'); };\n`);
  const plain = run({ env: { THERMIDOR_CODE_CACHE: 'off' } });
  expect(plain).toContain('fall.js:1:30');
  expect([framesOf(run()), framesOf(run())]).toEqual([framesOf(plain), framesOf(plain)]);
});

test('a source that is no JavaScript fails as Node has it fail', () => {
  write('app/word.js', 'exports.word = = 1;');
  expect(run({ fails: true })).toContain('word.js:1');
  expect(run({ fails: true })).toContain("SyntaxError: Unexpected token '='");
});

test('modules of all kinds find each other', () => {
  write(
    'app/main.js',
    `const { a } = require('./a'); const { name } = require('./data.json'); import('./later.mjs').then(({ later }) => console.log(a(), name, later, require.resolve('./a').endsWith('a.js'), require.main === module, require.cache[__filename] === module, /ü/.test(require('./umlaut'))));`,
  );
  write('app/a.js', `exports.a = () => require('./b').b; exports.own = 1;`);
  write('app/b.js', `const { own } = require('./a'); exports.b = own + 1;`);
  write('app/data.json', '{"name": "data"}');
  write('app/later.mjs', `export const later = 'later';`);
  write('app/umlaut.js', `module.exports = 'grün';`);
  const plain = run({ env: { THERMIDOR_CODE_CACHE: 'off' } });
  expect(plain).toContain('2 data later true');
  expect([run(), run()]).toEqual([plain, plain]);
});

describe('threads of workflows', () => {
  const THREAD = 'node_modules/@temporalio/worker/lib/workflow/workflow-worker-thread.js';
  const START = `new (require('node:worker_threads').Worker)(require.resolve('../${THREAD}'))`;

  test('load their modules from the cache', () => {
    write(THREAD, `require('node:worker_threads').parentPort.postMessage(String(require('../../../../../app/late').late));`);
    write('app/late.js', `exports.late = () => 'rain';`);
    write('app/main.js', `require('./late'); ${START}.on('message', (text) => console.log(text));`);
    expect(run()).toBe("() => 'rain'");
    forge("'rain'", "'hail'");
    expect(run()).toBe("() => 'hail'");
    expect(run({ env: { THERMIDOR_CODE_CACHE: 'off' } })).toBe("() => 'rain'");
  });

  test('are started by the SDK as it is expected of them', () => {
    const creator = readFileSync(join(dirname(require.resolve('@temporalio/worker')), 'workflow/threaded-vm.js'), 'utf8');
    expect(creator).toContain("new node_worker_threads_1.Worker(require.resolve('./workflow-worker-thread'))");
  });
});

/** Other sources in the cache, of the same length, as if they had been there. */
function forge(text: string, other: string): void {
  const file = CacheFile.at(cache, undefined);
  const modules = [...(file?.paths() ?? [])].flatMap((path) => {
    const module = file?.read(path);
    if (module === undefined) return [];
    const source = Buffer.from(module.source.toString('latin1').replaceAll(text, other), 'latin1');
    return [{ ...module, source, code: Buffer.from(module.code) }];
  });
  writeCacheFile(cache, { modules, resolutions: [], watched: [] });
}

/** @param at counted from the end where it is negative */
function damage(at: number): void {
  const bytes = readFileSync(cache);
  const place = at < 0 ? bytes.length + at : at;
  bytes.writeUInt8(bytes.readUInt8(place) ^ 0xff, place);
  writeFileSync(cache, bytes);
}

interface Way {
  main?: string;
  places?: readonly string[];
  env?: Record<string, string>;
  fails?: boolean;
}

/** What the program prints; with `fails`, what Node prints when it breaks off. */
function run({ main = 'main.js', places = [cache], env = {}, fails = false }: Way = {}): string {
  const program = `require(${JSON.stringify(CODE_CACHE)}).useCodeCache(${JSON.stringify({ places })}); require(${JSON.stringify(join(folder, 'app', main))});`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--eval', program], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  expect({ failed: status !== 0, stderr: fails ? '' : stderr }).toEqual({ failed: fails, stderr: '' });
  return fails ? stderr : stdout.trim();
}

function framesOf(stack: string): string[] {
  return stack.split('\n').filter((line) => line.includes(folder));
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
