#!/usr/bin/env node
import { COMPLETE_WORD } from './completion/complete-word';
import { shownFailure } from './exit';
import { lobsterCall } from './lobster/called';
import { renderFailure } from './rendering/failure';
import { processTerminal, type Terminal } from './terminal';
import { version } from './version';

/** Lobster's own command line does not go through our parser, which it does not need and would wait for. */
function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  if (argv[0] === COMPLETE_WORD) {
    const { complete } = require('./completion/complete') as typeof import('./completion/complete');
    return complete(argv.slice(1), terminal);
  }
  const words = lobsterCall(argv, process.argv[1]);
  if (words === undefined) {
    const { runProgram } = require('./program') as typeof import('./program');
    return runProgram(argv, terminal, version());
  }
  const { execute } = require('./commands/lobster') as typeof import('./commands/lobster');
  return execute({ args: words, terminal });
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

/** Whoever reads what a command says may go before it ends. That is no failure of the command's, and it closes what it has opened. */
let unread = false;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  if (unread) return;
  unread = true;
  // As after Ctrl-C. What ends by itself (`thermidor list | head`) has nothing to close.
  if (!process.emit('SIGINT', 'SIGINT')) process.exit(0);
});
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
void main();
