#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { shownFailure } from './exit';
import { renderFailure } from './rendering/failure';
import { processTerminal, type Terminal } from './terminal';

/** The version stands in package.json, two folders up from `dist/cli`. */
function version(): string {
  const manifest = JSON.parse(readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8')) as { version: string };
  return manifest.version;
}

/** Lobster's own command line does not go through the parser of ours; called by the name `lobster`, this is that one alone. */
function run(argv: string[], terminal: Terminal): Promise<number> {
  const lobster =
    basename(process.argv[1] ?? '').replace(/\.(?:js|cmd|exe)$/, '') === 'lobster'
      ? argv
      : argv[0] === 'lobster'
        ? argv.slice(1)
        : undefined;
  if (lobster === undefined) {
    const { runProgram } = require('./program') as typeof import('./program');
    return runProgram(argv, terminal, version());
  }
  const { runLobster } = require('./lobster/lobster') as typeof import('./lobster/lobster');
  return runLobster(lobster, terminal, version());
}

async function main(): Promise<void> {
  const terminal = processTerminal();
  const argv = process.argv.slice(2);
  let exit: number;
  try {
    exit = await run(argv, terminal);
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
