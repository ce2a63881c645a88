#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shownFailure } from './exit';
import { runProgram } from './program';
import { renderFailure } from './rendering/failure';
import { processTerminal } from './terminal';

/** The version stands in package.json, two folders up from `dist/cli`. */
function version(): string {
  const manifest = JSON.parse(readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8')) as { version: string };
  return manifest.version;
}

async function main(): Promise<void> {
  const terminal = processTerminal();
  const argv = process.argv.slice(2);
  let exit: number;
  try {
    exit = await runProgram(argv, terminal, version());
  } catch (error) {
    const failure = shownFailure(error);
    exit = failure?.exit ?? 1;
    if (failure !== undefined && argv.includes('--json')) terminal.out(`${JSON.stringify({ error: failure }, null, 2)}\n`);
    else terminal.err(renderFailure(failure, error, terminal.colors));
  }
  process.exitCode = exit;
  // Sockets of the Temporal client may linger after they were closed; output is flushed before the process ends.
  process.stdout.write('', () => process.stderr.write('', () => process.exit(exit)));
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that closed early (`thermidor list | head`) is no failure.
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
void main();
