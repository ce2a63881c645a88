#!/usr/bin/env node
import { useCompileCache } from './compile-cache';
import { EXIT } from './exit';
import { runCommand } from './run-command';
import { processTerminal } from './terminal';

const terminal = processTerminal();

/** What is loaded from here on may have been compiled by an earlier process. */
async function main(): Promise<void> {
  useCompileCache();
  const exit = await runCommand(process.argv.slice(2), terminal, process.argv[1]);
  process.exitCode = exit;
  // Sockets of the Temporal client may linger after they were closed; output is flushed before the process ends.
  await Promise.race([flushed(), lateAfterInterrupt()]);
  process.exit(unwritten ? EXIT.failed : exit);
}

function flushed(): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write('', () => {
      // The callback may come before the event.
      if (process.stdout.errored) noteUnread(process.stdout.errored);
      process.stderr.write('', () => resolve());
    });
  });
}

/** A worker's grace, and the ten seconds after it, are nearly over when it comes to its last lines. */
const LAST_LINES_MS = 900;

/** After Ctrl-C or SIGTERM nobody waits for a reader that has stopped. */
function lateAfterInterrupt(): Promise<void> {
  const { interrupted } = terminal;
  return new Promise((resolve) => {
    const begin = (): void => void setTimeout(resolve, LAST_LINES_MS);
    if (interrupted.aborted) begin();
    else interrupted.addEventListener('abort', begin);
  });
}

/** A reader of a command's output may go away before its end. That is no failure of the command, and it closes what it has opened. */
let unread = false;
/** Its output went to a full disk: the command ends as after Ctrl-C, and has failed. */
let unwritten = false;
function noteUnread(error: NodeJS.ErrnoException): void {
  if (unread) return;
  unread = true;
  if (terminal.logs()) process.stderr.write(`the log on standard output ends here: ${error.message}\n`);
  else if (error.code !== 'EPIPE') {
    unwritten = true;
    process.stderr.write(`error the output cannot be written: ${error.message}\n`);
  }
}
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (unread) return;
  noteUnread(error);
  // A worker goes on without its log.
  if (terminal.logs()) return;
  // As after Ctrl-C. A command that ends by itself (`thermidor list | head`) has nothing to close.
  if (!process.emit('SIGINT', 'SIGINT')) process.exit(unwritten ? EXIT.failed : EXIT.done);
});
process.stderr.on('error', () => {
  // There is nowhere left to report it.
});
void main();
