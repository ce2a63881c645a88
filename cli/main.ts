#!/usr/bin/env node
import { useCodeCache } from './code-cache/code-cache';
import { runCommand } from './run-command';
import { processTerminal } from './terminal';

/** All that is loaded from here on goes through the code cache. */
async function main(): Promise<void> {
  useCodeCache();
  const exit = await runCommand(process.argv.slice(2), processTerminal(), process.argv[1]);
  process.exitCode = exit;
  // Sockets of the Temporal client may linger after they were closed; output is flushed before the process ends.
  process.stdout.write('', () => process.stderr.write('', () => process.exit(exit)));
}

/** A reader of a command's output may go away before its end. That is no failure of the command's, and it closes what it has opened. */
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
