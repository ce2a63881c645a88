// Adds a kind of step, a command, a tool of agents or a chat that does one small thing: `npm run kind -- NAME`, `npm run command -- NAME`,
// `npm run tool -- NAME`, `npm run channel -- NAME`. Writes its files and its lines in the tables, or nothing at all if the name is taken
// or a table is not as expected. docs/internals/guides.md says how to continue.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { continuation, newFiles, Refused, THINGS } from './new/new-files.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [thing, name, ...more] = process.argv.slice(2);

function filesOf() {
  try {
    return newFiles(root, thing, name);
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

if (!THINGS.includes(thing) || name === undefined || more.length > 0) refuse(`usage: npm run ${THINGS.join('|')} -- NAME`);
const files = filesOf();
const { guide, generates } = continuation(thing);
for (const [file, text] of files) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}
const typescript = [...files.keys()].filter((file) => file.endsWith('.ts'));
run('@biomejs/biome/bin/biome', ['check', '--write', '--linter-enabled=false', ...typescript]);
run('jest/bin/jest', [generates, '--silent'], { UPDATE: '1' });
process.stdout.write(`${[...files.keys()].join('\n')}\n\nNext: change what it does, as docs/internals/guides.md says under "${guide}".\n`);
