#!/usr/bin/env node
import { useCompileCache } from './compile-cache';
import { EXIT } from './exit';
import { runCommand } from './run-command';
import { processTerminal } from './terminal';

/** What is loaded from here on may have been compiled by an earlier process. */
async function main(): Promise<void> {
  useCompileCache();
  const exit = await runCommand(process.argv.slice(2), processTerminal(), process.argv[1]);
  process.exitCode = exit;
  // Sockets of the Temporal client may linger after they were closed; output is flushed before the process ends.
  process.stdout.write('', () => {
    // The callback may come before the event.
    if (process.stdout.errored) noteUnread(process.stdout.errored);
    process.stderr.write('', () => process.exit(unwritten ? EXIT.failed : exit));
  });
}

/** A reader of a command's output may go away before its end. That is no failure of the command, and it closes what it has opened. */
let unread = false;
/** Its output went to a full disk: the command ends as after Ctrl-C, and has failed. */
let unwritten = false;
function noteUnread(error: NodeJS.ErrnoException): void {
  unread = true;
  if (unwritten || error.code === 'EPIPE') return;
  unwritten = true;
  process.stderr.write(`error the output cannot be written: ${error.message}\n`);
}
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (unread) return;
  noteUnread(error);
  // As after Ctrl-C. A command that ends by itself (`thermidor list | head`) has nothing to close.
  if (!process.emit('SIGINT', 'SIGINT')) process.exit(unwritten ? EXIT.failed : EXIT.done);
});
process.stderr.on('error', () => {
  // There is nowhere left to report it.
});
void main();
