// Adds a kind of step that does one thing and ends: `npm run kind -- NAME`. Writes its files and its lines in the tables, or nothing at
// all if the name is taken or a table is not as expected. docs/internals/architecture.md says how to continue.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newKind, Refused } from './kind/new-kind.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [name, ...more] = process.argv.slice(2);

function filesOf(kind) {
  try {
    return newKind(root, kind);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return refuse(error.message);
  }
}

function refuse(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

const require = createRequire(import.meta.url);

/** Runs a program of a development dependency. */
function run(program, args, env = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [require.resolve(program), ...args], {
    ...{ cwd: root, encoding: 'utf8', env: { ...process.env, ...env } },
  });
  if (status !== 0) refuse(`${stdout}${stderr}\nthe files are written, but this failed: ${program} ${args.join(' ')}`);
}

if (name === undefined || more.length > 0) refuse('usage: npm run kind -- NAME');
const files = filesOf(name);
for (const [file, text] of files) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}
const typescript = [...files.keys()].filter((file) => file.endsWith('.ts'));
run('@biomejs/biome/bin/biome', ['check', '--write', '--linter-enabled=false', ...typescript]);
run('jest/bin/jest', ['test/language/page.test.ts', '--silent'], { UPDATE: '1' });
process.stdout.write(
  `${[...files.keys()].join('\n')}\n\nNext: change what it does, as docs/internals/architecture.md says under "How to add a kind".\n`,
);
