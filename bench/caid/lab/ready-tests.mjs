// Runs the tests of a library of which some functions are stubs: those that reach no file with a stub, all in this process, and one test
// for each file that it loads. A test whose file is gone is red. Arguments: the tests to run. `lab/tests.json` says which files a test
// needs.
import { existsSync, readFileSync } from 'node:fs';
import * as runner from 'node:test';
import { pathToFileURL } from 'node:url';

const { tests, files, mark } = JSON.parse(readFileSync('lab/tests.json', 'utf8'));
const { after, afterEach, before, beforeEach, describe, it, test } = runner;
Object.assign(globalThis, { after, afterEach, before, beforeEach, describe, it });
const wanted = process.argv.slice(2);
const url = (path) => pathToFileURL(path).href;
const hasStub = new Set(files.filter((path) => existsSync(path) && readFileSync(path, 'utf8').includes(mark)));

const isThere = (path) => existsSync(path);
const failing = (name, error) => test(name, () => Promise.reject(error));

for (const path of files) test(`${path} loads`, () => import(url(path)));
for (const path of Object.keys(tests)) if (!isThere(path)) failing(`${path} is there`, new Error('the test was deleted'));
const ready = Object.keys(tests).filter((path) => isThere(path) && !tests[path].some((needed) => hasStub.has(needed)));
for (const path of ready.filter((one) => wanted.length === 0 || wanted.includes(one))) {
  await import(url(path)).catch((error) => failing(`${path} begins`, error));
}
console.log(`# ready ${ready.length} of ${Object.keys(tests).length}`);
