import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** The folder in which Node is asked to keep compiled code, whether or not this Node can. */
const BUILT = join(__dirname, '../../dist/cli/compile-cache.js');

function askedFor(env: Record<string, string>, able = true): string {
  const program = `
    const module = require('node:module');
    module.enableCompileCache = ${able ? '(folder) => console.log(folder)' : 'undefined'};
    require(${JSON.stringify(BUILT)}).useCompileCache();`;
  const { PATH = '' } = process.env;
  return execFileSync(process.execPath, ['--eval', program], { encoding: 'utf8', env: { PATH, ...env } }).trim();
}

test.each<[what: string, env: Record<string, string>, folder: string]>([
  ['is among the caches in the user’s home', { HOME: '/home/me' }, '/home/me/.cache/thermidor/code'],
  ['is where the user has caches', { HOME: '/home/me', XDG_CACHE_HOME: '/caches' }, '/caches/thermidor/code'],
  ['is nowhere while coverage is measured', { HOME: '/home/me', NODE_V8_COVERAGE: '/tmp/none-is-written' }, ''],
])('compiled code %s', (_, env, folder) => {
  expect(askedFor(env)).toBe(folder);
});

test('a Node that keeps none runs without', () => {
  expect(askedFor({ HOME: '/home/me' }, false)).toBe('');
});
