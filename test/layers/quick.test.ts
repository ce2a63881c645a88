import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder } from '../support/scratch-folder';
// @ts-expect-error: Jest's configuration loads it as well, so it is not TypeScript.
import { startsNothing } from '../support/starts-nothing.cjs';

/** `npm run quick` runs the tests that start nothing. */
const TESTS = join(__dirname, '..');
const folder = scratchFolder();

test.each<[string, boolean]>([
  ["import { join } from 'node:path';", true],
  ["import type { ChildProcess } from 'node:child_process';", true],
  ["import { type ChildProcess, type ExecOptions } from 'node:child_process';", true],
  ["import { spawn } from 'node:child_process';", false],
  ["import { type ChildProcess, spawn } from 'node:child_process';", false],
  ["import {\n  type ChildProcess,\n  spawn,\n} from 'node:child_process';", false],
  ["export { createServer } from 'node:http';", false],
  ["const late = async () => await import('@temporalio/worker');", false],
  ["const { spawn } = require('child_process');", false],
  ["import { helper } from './starts';", false],
  ["import type { Helper } from './starts';", true],
])('%s: starts nothing: %s', (text, expected) => {
  writeFileSync(join(folder, 'starts.ts'), "import './starts';\nimport { connect } from 'node:net';\n");
  const file = join(folder, `${text.length}.test.ts`);
  writeFileSync(file, text);
  expect(startsNothing(file)).toBe(expected);
});

test.each<[string, boolean]>([
  ['language', true],
  ['plan', true],
  ['compiler', true],
  ['durability', false],
  ['embedded', false],
  ['git', false],
  ['contract', false],
])('nearly all of test/%s start nothing: %s', (name, expected) => {
  const files = readdirSync(join(TESTS, name), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
  const most = files.filter((file) => startsNothing(join(TESTS, name, file)) === expected);
  expect(most.length).toBeGreaterThan(0.9 * files.length);
});
